import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../tools/lib/paths.ts';
import { type Mutant, mutate, parseMutant, readMutants } from '../../tools/mutants/read.ts';
import { baselineFault, judgeRun } from '../../tools/mutants/verdict.ts';

const MUTANT: Mutant = {
  name: 'm',
  invariant: 'One is one',
  file: 'src/a.ts',
  search: 'one',
  replace: 'two',
  tests: ['test/a.test.ts'],
};

const report = (...results: [status: string, fullName: string][]) =>
  JSON.stringify({
    testResults: [
      {
        name: '/tmp/x/test/a.test.ts',
        status: results.some(([status]) => status === 'failed') ? 'failed' : 'passed',
        assertionResults: results.map(([status, fullName]) => ({ status, fullName })),
      },
    ],
  });

describe('a mutant', () => {
  it('changes exactly one place', () => {
    expect(mutate('a one b', MUTANT)).toBe('a two b');
    expect(() => mutate('none of it', { ...MUTANT, search: 'x' })).toThrow('0 times');
    expect(() => mutate('one one', MUTANT)).toThrow('2 times');
  });

  it('that is misspelt is named', () => {
    expect(() => parseMutant('m', '{"invariant": "x"}')).toThrow('mutant m');
    expect(() => parseMutant('m', 'x')).toThrow('mutant m');
  });

  it('of those committed still finds its place in the sources', async () => {
    for (const mutant of await readMutants(join(ROOT, 'mutants'), [])) {
      const text = readFileSync(join(ROOT, mutant.file), 'utf8');
      expect(mutate(text, mutant), mutant.name).not.toBe(text);
    }
  });
});

describe('the verdict', () => {
  it('is killed only when every named test went red', () => {
    const mixed = report(['failed', 'a first'], ['passed', 'a second']);
    expect(judgeRun(['test/a.test.ts'], mixed).kind).toBe('killed');
    expect(judgeRun(['test/a.test.ts > first'], mixed).kind).toBe('killed');
    expect(judgeRun(['test/a.test.ts > second'], mixed)).toMatchObject({
      kind: 'survived',
      reason: 'test/a.test.ts > second',
    });
    expect(judgeRun(['test/a.test.ts > first', 'test/a.test.ts > second'], mixed).kind).toBe('survived');
  });

  it('is never killed when the tests did not run', () => {
    expect(judgeRun(['test/a.test.ts'], undefined).kind).toBe('broken');
    expect(judgeRun(['test/b.test.ts'], report(['failed', 'x'])).kind).toBe('broken');
    expect(judgeRun(['test/a.test.ts'], report()).kind).toBe('broken');
    expect(judgeRun(['test/a.test.ts > no such'], report(['failed', 'x'])).kind).toBe('broken');
  });

  it('means nothing when the tests are red by themselves', () => {
    expect(baselineFault(1, report(['failed', 'x']))).toContain('fails without any mutant');
    expect(baselineFault(1, report(['passed', 'x']))).toContain('badly');
    expect(baselineFault(0, undefined)).toBeDefined();
    expect(baselineFault(0, report(['passed', 'x']))).toBeUndefined();
  });
});
