import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rootOrSkip } from '../../../tools/debian-root/index.ts';
import { countingAddon } from './answers.ts';
import type { End } from './end.ts';
import { ENDS } from './index.ts';
import { judge } from './judge.ts';
import { stageFor } from './stage.ts';

const root = await rootOrSkip('the judge of the ends of a play in a real Kodi 21');

const WATCHER = 'resources/lib/slipstream_host/service/failure_box.py';
const CLOSES = 'xbmc.executebuiltin(_CLOSE)';

/** The add-on, which leaves Kodi's boxes to the person. */
async function withoutWatcher(): Promise<string> {
  const addon = await countingAddon();
  const file = join(addon, WATCHER);
  const before = await readFile(file, 'utf8');
  expect(before).toContain(CLOSES);
  await writeFile(file, before.replace(CLOSES, 'pass'));
  return addon;
}

const endCalled = (wanted: string): End => {
  const found = ENDS.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`No end is called ${wanted}.`);
  return found;
};

test.skipIf(!root)('an end that leaves a box of Kodi up does not pass', async () => {
  const end = endCalled('failure of the search');
  const s = await stageFor(root!, end, await withoutWatcher());
  const last = await end.act(s);
  await expect(judge(s, end, last)).rejects.toThrow('in vain: no dialog');
});

test.skipIf(!root)('an end whose calls are not each answered once does not pass', async () => {
  const end = endCalled('failure of the search');
  const s = await stageFor(root!, end, await countingAddon());
  const last = await end.act(s);
  await expect(judge(s, { ...end, answers: 2 }, last)).rejects.toThrow('handles that Kodi was answered for');
  await judge(s, end, last);
});
