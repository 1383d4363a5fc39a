import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../tools/test/arguments.ts';
import { add, countsOf, NONE, summary } from '../../tools/test/counts.ts';
import { failureList, failuresOf } from '../../tools/test/failures.ts';
import { otherMajors } from '../../tools/test/other-node.ts';

describe('arguments of npm test', () => {
  it('runs every project when none is named', () => {
    expect(parseArguments([])).toEqual({ projects: ['unit', 'python', 'kodi', 'real'], rest: [] });
    expect(parseArguments(['-t', 'kodi']).projects).toHaveLength(4);
  });

  it('takes leading names as projects and leaves the rest to vitest', () => {
    expect(parseArguments(['kodi', 'unit', '-t', 'unit'])).toEqual({
      projects: ['unit', 'kodi'],
      rest: ['-t', 'unit'],
    });
    expect(parseArguments(['test/io', 'unit'])).toMatchObject({ rest: ['test/io', 'unit'] });
  });
});

describe('counts', () => {
  const report = (passed: number, failed: number, files: object[] = [], neverRan = 0) =>
    JSON.stringify({
      numTotalTests: passed + failed + 3 + neverRan,
      numPassedTests: passed,
      numFailedTests: failed,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: files,
    });

  it('come from the report', () => {
    expect(countsOf(report(5, 0), 0)).toEqual({ passed: 5, failed: 0, skipped: 3 });
    expect(countsOf(report(5, 4), 1)).toEqual({ passed: 5, failed: 4, skipped: 3 });
  });

  it('count a file that could not be loaded as a failure', () => {
    const files = [
      { status: 'failed', assertionResults: [] },
      { status: 'passed', assertionResults: [] },
    ];
    expect(countsOf(report(5, 0, files), 1).failed).toBe(1);
  });

  it('count tests whose process died before they ran as failures', () => {
    expect(countsOf(report(5, 1, [], 48), 1)).toEqual({ passed: 5, failed: 49, skipped: 3 });
  });

  it('never call a run without a report, or one that ended badly, a success', () => {
    expect(countsOf(undefined, 0).failed).toBe(1);
    expect(countsOf(report(5, 0), 1).failed).toBe(1);
  });

  it('are summed into one line', () => {
    const sum = add(add(NONE, { passed: 1, failed: 2, skipped: 3 }), { passed: 10, failed: 0, skipped: 0 });
    expect(summary(sum)).toBe('11 passed, 2 failed, 3 skipped');
  });
});

describe('the failed tests', () => {
  const test = (title: string, status: string) => ({ ancestorTitles: ['a', 'b'], title, status });

  it('are named by file, groups and title', () => {
    const report = JSON.stringify({
      testResults: [
        {
          name: '/home/project/test/x.test.ts',
          status: 'failed',
          assertionResults: [test('good', 'passed'), test('bad', 'failed'), test('left out', 'skipped')],
        },
        {
          name: '/home/project/test/y.test.ts',
          status: 'passed',
          assertionResults: [test('good', 'passed')],
        },
      ],
    });
    expect(failuresOf(report, '/home/project')).toEqual([{ name: 'test/x.test.ts > a > b > bad', why: [] }]);
  });

  it('include files that failed as a whole, and a run without a report', () => {
    const file = { name: '/p/test/z.test.ts', status: 'failed', assertionResults: [] };
    const message = 'no such module';
    expect(failuresOf(JSON.stringify({ testResults: [{ ...file, message }] }), '/p')).toEqual([
      { name: 'test/z.test.ts (the file itself)', why: [message] },
    ]);
    expect(failuresOf(undefined, '/p')).toEqual([{ name: '(a run that left no report)', why: [] }]);
  });

  it('tell the beginning of what was thrown and the places in our tests, without colours', () => {
    const thrown = [
      '\u001b[31mAssertionError: expected 1 to be 2\u001b[39m',
      ...Array.from({ length: 30 }, (_, line) => `line ${line} ${'x'.repeat(400)}`),
      '    at Proxy.toBe (/p/node_modules/vitest/dist/index.js:1:2)',
      '    at inner (/p/test/x.test.ts:3:4)',
    ].join('\n');
    const bad = { ...test('bad', 'failed'), failureMessages: [thrown] };
    const file = { name: '/p/test/x.test.ts', status: 'failed', assertionResults: [bad] };
    const [failure] = failuresOf(JSON.stringify({ testResults: [file] }), '/p');
    expect(failure?.why).toHaveLength(13);
    expect(failure?.why[0]).toBe('AssertionError: expected 1 to be 2');
    expect(failure?.why[1]).toHaveLength(300);
    expect(failure?.why.at(-1)).toBe('    at inner (test/x.test.ts:3:4)');
  });

  it('are a list, and nothing when there are none', () => {
    const failures = [
      { name: 'one', why: ['it broke'] },
      { name: 'two', why: [] },
    ];
    expect(failureList(failures)).toBe('\nFailed:\n  one\n      it broke\n  two');
    expect(failureList([])).toBe('');
  });
});

describe('the other Nodes', () => {
  it.each([
    ['20.20.2', [24]],
    ['22.1.0', [20, 24]],
    ['24.0.0', [20]],
  ])('beside %s: %j', (current, others) => {
    expect(otherMajors(current)).toEqual(others);
  });
});
