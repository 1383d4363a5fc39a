import { describe, expect, test } from 'vitest';
import { jobFailed } from '../../src/backends/download-client/outcome.ts';
import { progressOf } from '../../src/backends/download-client/progress.ts';
import { stageOf } from '../../src/backends/webdav/progress.ts';
import { own } from '../../src/io/own.ts';
import { filmFitter } from '../../src/job-files/titles.ts';
import { mimeByName } from '../../src/media/mime.ts';
import { controlCode, property, shorthand } from '../../src/release/pattern/characters.ts';
import { knownTitles } from '../../src/search/title.ts';

/** What every object knows beside its own entries. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

test('a table holds its own entries alone', () => {
  const table = { word: 1 };
  expect(own(table, 'word')).toBe(1);
  expect(INHERITED.map((word) => own<unknown>(table, word))).toEqual(INHERITED.map(() => undefined));
});

describe.each(INHERITED)('a stranger’s word "%s" is none that we know', (word) => {
  test('as the state of a job', () => {
    expect(progressOf({ status: word, wanted: 0, left: 0, stageProgress: 0 } as never).stage).toBe(
      'unpacking',
    );
    expect(stageOf(word)).toBe('downloading');
    const failed = jobFailed({ status: word, hasPassword: false });
    expect(failed.explanation.next).toBe('Try another release.');
  });

  test('in a title', () => {
    const title = `Open ${word} Sky`;
    expect(knownTitles([title]).include(title)).toBe(true);
    // Names write it as one word or as two.
    expect(knownTitles([title]).include(title.replace(word, `${word.slice(0, 3)}-${word.slice(3)}`))).toBe(
      true,
    );
    const called = filmFitter({ kind: 'movie', title, ids: {} } as never);
    expect(called(`${title} 1080p`).called).toBe(true);
  });

  test('in a pattern, and as the ending of a file', () => {
    expect([shorthand(word), controlCode(word), mimeByName(`film.${word}`)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(() => property('p', word)).toThrow(`\\p{${word}} is not known`);
  });
});
