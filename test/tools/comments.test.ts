import { describe, expect, test } from 'vitest';
import { allCommentFaults, commentFaults } from '../../tools/lint/comments.ts';

const lines = (count: number, mark: string) =>
  Array.from({ length: count }, (_, at) => `${mark} line ${at}.`);
const block = (...text: string[]) => `/**\n${text.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
const noHeading = (count: number, line = 1) => [
  `src/one.ts:${line}: ${count} lines of comment without a heading`,
];
const NO_DECLARATION = 'a doc block with no declaration directly below it';

describe('a comment of more than six lines', () => {
  test.each([
    ['six lines', `${block(...lines(6, 'A'))}const a = 1;`],
    ['a heading with an empty line below', `${block('One title.', '', ...lines(6, 'A'))}const a = 1;`],
    ['a heading with a colon', `${block('These are its parts:', ...lines(7, 'A'))}const a = 1;`],
    ['a heading of lines by themselves', `// What it is:\n${lines(9, '//').join('\n')}\n`],
    [
      'two comments with an empty line between',
      `${lines(5, '//').join('\n')}\n\n${lines(5, '//').join('\n')}\n`,
    ],
    ['a text that only looks like one', `const a = \`${lines(9, '//').join('\n')}\`;`],
  ])('may have %s', (_what, text) => {
    expect(commentFaults('src/one.ts', text)).toEqual([]);
  });

  test.each([
    ['a block', `${block(...lines(7, 'A'))}const a = 1;`, noHeading(7)],
    ['lines below each other', `const a = 1;\n${lines(7, '//').join('\n')}\n`, noHeading(7, 2)],
    [
      'lines in a function',
      `function a() {\n${lines(8, '  //').join('\n')}\n  return 1;\n}`,
      noHeading(8, 2),
    ],
    [
      'a block with a long first line',
      `${block('A'.repeat(101), '', ...lines(5, 'A'))}const a = 1;`,
      noHeading(7),
    ],
  ])('needs a heading: %s', (_what, text, faults) => {
    expect(commentFaults('src/one.ts', text)).toEqual(faults);
  });
});

describe('a doc block', () => {
  test.each([
    'export const a = 1;',
    'async function a() {}',
    'export default class A {}',
    'interface A {\n  /** B. */\n  b: number;\n  /** C. */\n  c(): void;\n}',
    `type A =\n  /** B. */\n  | 'b'\n  /** C. */\n  | { c: number };`,
    'class A {\n  /** B. */\n  readonly #b = 1;\n  /** C. */\n  get c() {\n    return 1;\n  }\n}',
    'const a = {\n  /** B. */\n  b: 1,\n  /** C. */\n  c,\n};',
    'const a = [\n  /** B. */\n  b,\n];',
    'enum A {\n  /** B. */\n  b,\n}',
    'function a(/** B. */ b: number) {}',
    'export { a };',
    'declare const a: string;',
  ])('may stand above: %s', (text) => {
    expect(commentFaults('src/one.ts', `/** A. */\n${text}\n`)).toEqual([]);
  });

  test.each([
    ['an empty line', '\nconst a = 1;'],
    ['another one', '/** B. */\nconst a = 1;'],
    ['an import', `import a from './a.ts';`],
    ['a call', `describe('a', () => {});`],
    ['nothing', ''],
  ])('may not stand above %s', (_what, text) => {
    expect(commentFaults('src/one.ts', `const z = 1;\n/** A. */\n${text}`)).toEqual([
      `src/one.ts:2: ${NO_DECLARATION}`,
    ]);
  });

  test('may not stand behind what it describes', () => {
    const text = 'interface A {\n  readonly a: number /** B. */;\n}\n';
    expect(commentFaults('src/one.ts', text)).toEqual([`src/one.ts:2: ${NO_DECLARATION}`]);
  });

  test('is not a comment of another kind', () => {
    expect(commentFaults('src/one.ts', '// A.\n\n/* B. */\n\nfoo();\n')).toEqual([]);
  });
});

describe('in Python', () => {
  test.each([
    '"""A module."""\nimport b\n\n\ndef a():\n    """B."""\n',
    '#!/usr/bin/env python3\n# A.\n"""A module."""\n',
    'class A:\n    """B."""\n\n    c = 1\n',
    'def a(\n    b,\n):\n    """C."""\n',
    `"""One title.\n\n${lines(8, '').join('\n')}\n"""\n`,
  ])('is fine: %j', (text) => {
    expect(commentFaults('addon/one.py', text)).toEqual([]);
  });

  test.each([
    [`"""One.\n${lines(7, '').join('\n')}\n"""\n`, '1: 8 lines of comment without a heading'],
    [`a = 1\n${lines(7, '#').join('\n')}\n`, '2: 7 lines of comment without a heading'],
    ['a = 1\n"""B."""\n', '2: a docstring that is not the first statement of anything'],
  ])('is not: %j', (text, fault) => {
    expect(commentFaults('addon/one.py', text)).toEqual([`addon/one.py:${fault}`]);
  });
});

test('every comment of the repository keeps these rules', { timeout: 60_000 }, async () => {
  expect(await allCommentFaults()).toEqual([]);
});
