import { expect, test } from 'vitest';
import { boxesIn } from './boxes.ts';

/** As Kodi 21.2 writes them at debug level. */
const opens = (time: string) =>
  `2026-11-24 15:02:${time} T:43      debug <general>: ------ Window Init (DialogConfirm.xml) ------`;
const closes = (time: string) =>
  `2026-11-24 15:02:${time} T:43      debug <general>: ------ Window Deinit (DialogConfirm.xml) ------`;
const OTHER =
  '2026-11-24 15:02:01.100 T:43      debug <general>: ------ Window Init (DialogBusy.xml) ------\n  with a second line';

test("tells for how long each of Kodi's boxes was up", () => {
  const log = [opens('01.000'), OTHER, closes('01.090'), opens('07.500'), closes('10.000')].join('\n');
  expect(boxesIn(log)).toEqual([90, 2500]);
});

test('of one that is still up it knows no end', () => {
  expect(boxesIn(`${opens('01.000')}\n${closes('01.090')}\n${opens('07.500')}\n`)).toEqual([90, Infinity]);
  expect(boxesIn(OTHER)).toEqual([]);
});
