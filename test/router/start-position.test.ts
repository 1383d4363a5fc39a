import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import type { ResumeOffer } from '../../src/host/port.ts';
import { resumeTimeText } from '../../src/host/time-text.ts';
import { openResumePoints, resumeKey } from '../../src/library/index.ts';
import type { Edition } from '../../src/model/quality.ts';
import { askStartPosition } from '../../src/router/start-position.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const SINTEL = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const keyOf = (name: string, editions: readonly Edition[] = []) =>
  resumeKey(release({ name }, { editions }), SINTEL);
const KEY = keyOf('Sintel.2010.1080p-INV');

/** A film that was left at 1000 s; what is answered when the person is asked. */
async function left(answer: 'resume' | 'start' | 'back' = 'resume') {
  const dataFolder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(dataFolder, { recursive: true });
  });
  const context = { signal: new AbortController().signal, log: memoryLog() };
  await openResumePoints({ folder: dataFolder, log: context.log }).save(KEY, {
    position: 1000,
    duration: 6000,
  });
  const asked: ResumeOffer[] = [];
  const askResume = (offer: ResumeOffer) => {
    asked.push(offer);
    return Promise.resolve(answer === 'back' ? undefined : answer);
  };
  const start = (key = KEY, resumeAsked?: boolean) =>
    askStartPosition(
      key,
      { dataFolder, askResume, resumeAnswer: () => Promise.resolve(resumeAsked) },
      context,
    );
  return { asked, start };
}

test('a film that was left is taken up there, or played from its start, as the person says', async () => {
  const again = await left('resume');
  expect(await again.start()).toEqual({ chosen: 1000, another: 985 });
  expect(again.asked).toEqual([{ position: 1000, isExact: true }]);
  expect(await (await left('start')).start()).toBeUndefined();
});

test('going back from the question is a cancel', async () => {
  const { start } = await left('back');
  await expect(start()).rejects.toBeInstanceOf(CancelledError);
});

test('another release of the same cut is taken up at the same second', async () => {
  const { asked, start } = await left();
  expect(await start(keyOf('Sintel.2010.2160p-OTHER'))).toMatchObject({ chosen: 1000 });
  expect(asked).toEqual([{ position: 1000, isExact: true }]);
});

test('another cut is taken up a little before, and the question says "about"', async () => {
  const { asked, start } = await left();
  expect(await start(keyOf('Sintel.2010.Extended.2160p-OTHER', ['Extended']))).toEqual({
    chosen: 985,
    another: 985,
  });
  expect(asked).toEqual([{ position: 1000, isExact: false }]);
  expect(resumeTimeText(asked[0]!)).toBe('about 16:40');
});

test.each([true, false])('nobody is asked twice: the media centre has asked already (%s)', async (answer) => {
  const { asked, start } = await left();
  expect(await start(KEY, answer)).toBeUndefined();
  expect(asked).toEqual([]);
});
