import { describe, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { countingAddon } from './ends/answers.ts';
import { ENDS } from './ends/index.ts';
import { judge } from './ends/judge.ts';
import { stageFor } from './ends/stage.ts';

const root = await rootOrSkip('the ends of a play in a real Kodi 21');

/** What `npm run ends` asks for: parts of names, one a line; empty: all. */
const wanted = process.env['SLIPSTREAM_ENDS']?.split('\n');
const chosen = ENDS.filter(({ name, inTests }) => wanted?.some((part) => name.includes(part)) ?? inTests);

describe.skipIf(!root)('a play leaves nothing behind that it should not', () => {
  test.each(chosen.map((end) => [end.name, end] as const))('%s', async (_name, end) => {
    const s = await stageFor(root!, end, await countingAddon());
    await judge(s, end, await end.act(s));
  });
});
