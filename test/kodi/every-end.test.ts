import { describe, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { countingAddon } from './ends/answers.ts';
import { ROWS } from './ends/end.ts';
import { ENDS } from './ends/index.ts';
import { judge } from './ends/judge.ts';
import { rowsAddon } from './rows.ts';
import { stage } from './slipstream.ts';

/** Kodi's playlist player opens its box about each failure, not only about a second one 20 s after the first. */
const IMPATIENT = '<playlistretries>1</playlistretries>';

const root = await rootOrSkip('the ends of a play in a real Kodi 21');

/** What `npm run ends` asks for: parts of names, one a line; empty: all. */
const wanted = process.env['SLIPSTREAM_ENDS']?.split('\n');
const chosen = ENDS.filter(({ name, inTests }) => wanted?.some((part) => name.includes(part)) ?? inTests);

describe.skipIf(!root)('a play leaves nothing behind that it should not', () => {
  test.each(chosen.map((end) => [end.name, end] as const))('%s', async (_name, end) => {
    const { settings = {}, kodi = {} } = end;
    const addons = [await countingAddon(), await rowsAddon(temporaryFolder(), ROWS)];
    const s = await stage(root!, { settings, kodi: { addons, advanced: IMPATIENT, debug: true, ...kodi } });
    await judge(s, end, await end.act(s));
  });
});
