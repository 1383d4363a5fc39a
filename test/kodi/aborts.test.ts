import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { loadCores } from '../support/cpu-load.ts';
import { doOpens, type Opened } from './aborts/opens.ts';
import { describeOpen, planOpen } from './aborts/plan.ts';

const root = await rootOrSkip("Kodi's abort under load, in a real Kodi 21");

/** A few opens, two of which once ended Kodi; `npm run aborts` asks for more of them. */
const FROM = Number(process.env['SLIPSTREAM_OPENS_FROM'] ?? 7);
const COUNT = Number(process.env['SLIPSTREAM_OPENS'] ?? 4);
/** Busy processes on each core. */
const LOAD = Number(process.env['SLIPSTREAM_OPENS_LOAD'] ?? 2);
/** Where that command finds what came of them. */
const REPORT = process.env['SLIPSTREAM_OPENS_REPORT'];
const LONGEST_MS = 60_000 + COUNT * 30_000;

function tell({ open, ending }: Opened): void {
  const words = describeOpen(open);
  if (ending !== undefined)
    console.warn(
      `${words}: Kodi ${ending.status === undefined ? 'does not answer' : `has ended (${ending.status})`}\n  ${ending.line}`,
    );
  else if (REPORT !== undefined) console.log(words);
}

// Kodi waits 0.2 s for the answer to a second play before it aborts itself, and under load half of that is over when
// Python begins. What is over by then is none of ours.
describe.skipIf(!root)('under load', () => {
  test(
    'Kodi survives what follows a play at once, once our Python has begun',
    async () => {
      await loadCores(LOAD);
      const opens = Array.from({ length: COUNT }, (_, index) => planOpen(FROM + index));
      const opened = await doOpens(root!, opens, tell);
      if (REPORT !== undefined) await writeFile(REPORT, JSON.stringify(opened));
      expect(opened.filter(({ ending }) => ending?.ours)).toEqual([]);
    },
    LONGEST_MS,
  );
});
