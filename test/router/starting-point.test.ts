import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import { resumeKey, resumePoints } from '../../src/library/index.ts';
import { startingPoint } from '../../src/router/starting-point.ts';
import { release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const SINTEL = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const keyOf = (name: string) => resumeKey(release({ name }), SINTEL);
const KEY = keyOf('Sintel.2010.1080p-INV');

/** A film that was left at 1000 s; what is answered when the person is asked. */
async function left(answer: 'resume' | 'start' | 'back' = 'resume') {
  const dataFolder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(dataFolder, { recursive: true });
  });
  const context = { signal: new AbortController().signal, log: memoryLog() };
  await resumePoints({ folder: dataFolder, log: context.log }).left(KEY, { position: 1000, duration: 6000 });
  const asked: number[] = [];
  const askResume = (position: number) => {
    asked.push(position);
    return Promise.resolve(answer === 'back' ? undefined : answer);
  };
  const start = (key = KEY, resumeAsked?: boolean) =>
    startingPoint(key, { dataFolder, askResume, resumeAsked }, context);
  return { asked, start };
}

test('a film that was left is taken up there, or played from its start, as the person says', async () => {
  const again = await left('resume');
  expect(await again.start()).toBe(1000);
  expect(again.asked).toEqual([1000]);
  expect(await (await left('start')).start()).toBeUndefined();
});

test('going back from the question is a cancel', async () => {
  const { start } = await left('back');
  await expect(start()).rejects.toBeInstanceOf(CancelledError);
});

test('the point of another release is not offered: there is another scene at that second', async () => {
  const { asked, start } = await left();
  expect(await start(keyOf('Sintel.2010.2160p-OTHER'))).toBeUndefined();
  expect(asked).toEqual([]);
});

test.each([true, false])('nobody is asked twice: the media centre has asked already (%s)', async (answer) => {
  const { asked, start } = await left();
  expect(await start(KEY, answer)).toBeUndefined();
  expect(asked).toEqual([]);
});
