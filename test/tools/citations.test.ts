import { describe, expect, test } from 'vitest';
import { allCitationFaults, citationFaults } from '../../tools/lint/citations.ts';

const DOCUMENTS = new Map([
  ['docs/wires.md', '# Wires\n\n## 2. Second\n\n### 2.1 First\n\n### 2.10 Tenth\n\nAs §2.1 says.\n'],
  ['docs/plain.md', '# Plain\n\n## Without numbers\n'],
  ['README.md', '# Top\n'],
  ['sandbox/README.md', '# Beside\n'],
]);
const faults = (text: string, path = 'src/one.ts') => citationFaults(path, text, DOCUMENTS);

describe('what names a document', () => {
  test.each([
    ['a section', '/** The share (wires.md §2.10). */'],
    ['one by its path', '// docs/wires.md §2.1 has it'],
    ['several', '// wires.md §2.1, §2.10 and §2; wires.md §2.1 to §2.10'],
    ['one in the next line', '/**\n * As it is told (wires.md\n * §2.10).\n */'],
    ['one further down the list', '/**\n * As it is told (wires.md §2.1,\n * §2.10).\n */'],
    ['a document alone', '// docs/plain.md, plain.md, README.md'],
    ['a link', 'See [wires.md §2.1](docs/wires.md#21-first).'],
    [
      'a section alone, of the document that is cited',
      "// wires.md §2.1\ntest('a share (§2.10)', () => {});",
    ],
    ['a standard', '/** RFC 9110 §14.1.2, ISO/IEC 14496-12 §4.2; then §14.4. */'],
    ['an address', '// https://example.org/docs/nothing.md'],
    ['a name that is put together', '`docs/%s.md`, `${name}.md`, *.md'],
  ])('may be %s', (_what, text) => {
    expect(faults(text)).toEqual([]);
  });

  test('may name what lies beside it, and its own sections', () => {
    expect(faults('README.md', 'sandbox/main.ts')).toEqual([]);
    expect(faults('[there](../README.md)', 'sandbox/README.md')).toEqual([]);
    expect(faults(DOCUMENTS.get('docs/wires.md')!, 'docs/wires.md')).toEqual([]);
  });

  test.each([
    ['a document that is not there', `\n// nowhere.md §1`, `src/one.ts:2: there is no document nowhere.md`],
    ['one in another folder', `// src/wires.md`, `src/one.ts:1: there is no document src/wires.md`],
    ['a section that is not there', `// wires.md §2.2`, `src/one.ts:1: wires.md has no §2.2`],
    ['the beginning of a number', `// wires.md §2.11`, `src/one.ts:1: wires.md has no §2.11`],
    ['the second of two', `// wires.md §2.1, §3`, `src/one.ts:1: wires.md has no §3`],
    ['one in the next line', `/**\n * (wires.md\n * §7)\n */`, `src/one.ts:2: wires.md has no §7`],
    ['a section where none is numbered', `// plain.md §1`, `src/one.ts:1: plain.md has no §1`],
    ['a section of nothing', `// As it is told (§2.1).`, `src/one.ts:1: §2.1 is of no document`],
    ['one alone that is not there', `// wires.md §2.1\n// (§2.3)`, `src/one.ts:2: there is no §2.3`],
  ])('may not be %s', (_what, text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });

  test('is of no document where several are cited', () => {
    const both = `// wires.md §2.1, docs/more.md §1\n// (§2.1)`;
    const more = new Map([...DOCUMENTS, [`docs/more.md`, '## 1. One\n']]);
    expect(citationFaults('src/one.ts', both, more)).toEqual(['src/one.ts:2: §2.1 is of no document']);
  });

  test('must exist in the document itself', () => {
    const text = `## 1. One\n\nBy RFC 3977, and see §2.\n`;
    expect(citationFaults('docs/own.md', text, new Map([['docs/own.md', text]]))).toEqual([
      'docs/own.md:3: there is no §2',
    ]);
  });
});

test('every document and section that is named is there', async () => {
  expect(await allCitationFaults()).toEqual([]);
});
