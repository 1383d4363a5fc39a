import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCAN_DURATION_TEXT } from '../../../src/setup/discovery/index.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const filesOf = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));

/** A time in words or in numbers. */
const TIME = /\b(?:\d+|half a|a|one|ten|twenty|thirty|forty) ?(?:s|seconds?|minutes?)\b/i;
const LOOKING = /\blook\w*\b[^.]*\b(?:network|services)\b|\bservices\b[^.]*\bnetwork\b/i;

/** The sentences of a text that tell how long the look takes. */
const durationsIn = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .split(/(?<=\.) /)
    .filter((sentence) => LOOKING.test(sentence) && TIME.test(sentence));

test('one duration of the look around the network is in all documents', () => {
  const said = ['README.md', ...filesOf('docs', /\.md$/)].map(read).flatMap(durationsIn);
  expect(said.length).toBeGreaterThan(0);
  for (const sentence of said) expect(sentence).toContain(SCAN_DURATION_TEXT);
});

test.each([
  'Looking around the network takes 20 s.',
  'Slipstream looks for services for a minute.',
  'Services are found on\nyour network within twenty seconds.',
])('a document that said "%s" would be noticed', (sentence) => {
  expect(durationsIn(`The page opens. ${sentence} It may be stopped.`)).toHaveLength(1);
});

test('what is shown has it from its one place', () => {
  const folders = ['src/setup/discovery', 'src/setup/first-run', 'src/setup/phone/page'];
  const code = folders.flatMap((folder) => filesOf(folder, /\.(?:ts|mjs)$/));
  expect(code.filter((path) => read(path).includes(SCAN_DURATION_TEXT))).toEqual([
    'src/setup/discovery/duration.ts',
  ]);
  const other = /half a minute|twenty seconds|\b20 s\b/i;
  const tells = code.filter((path) => /discovery|look-around|choose-service/.test(path));
  for (const path of tells) expect(read(path).replaceAll(SCAN_DURATION_TEXT, ''), path).not.toMatch(other);
});
