import { describe, expect, test } from 'vitest';
import { jobFailed } from '../../src/backends/download-client/outcome.ts';
import { progressOf } from '../../src/backends/download-client/progress.ts';
import { stageOf } from '../../src/backends/webdav/progress.ts';
import { ownValue } from '../../src/io/own-property.ts';
import { filmMatcher } from '../../src/job-files/titles.ts';
import { mimeByName } from '../../src/media/mime.ts';
import { controlCode, property, shorthand } from '../../src/release/pattern/characters.ts';
import { titleSetOf } from '../../src/search/match/titles.ts';

/** What every object knows beside its own entries. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

test('a table holds its own entries alone', () => {
  const table = { word: 1 };
  expect(ownValue(table, 'word')).toBe(1);
  expect(INHERITED.map((word) => ownValue<unknown>(table, word))).toEqual(INHERITED.map(() => undefined));
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
    expect(titleSetOf([title]).includes(title)).toBe(true);
    // Names write it as one word or as two.
    expect(titleSetOf([title]).includes(title.replace(word, `${word.slice(0, 3)}-${word.slice(3)}`))).toBe(
      true,
    );
    const called = filmMatcher({ kind: 'movie', title, ids: {} } as never);
    expect(called(`${title} 1080p`).isTitled).toBe(true);
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
