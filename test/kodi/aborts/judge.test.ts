import { expect, test } from 'vitest';
import { judgeEnding } from './judge.ts';

/** As Kodi 21.2 writes them. */
const CALLED = [
  '2026-11-24 02:14:16.296 T:140     debug <general>: CPythonInvoker(4, /addons/plugin.video.slipstream/addon.py): start processing',
  '2026-11-24 02:14:16.325 T:140      info <general>: slipstream-test: begun',
  '2026-11-24 02:14:16.702 T:157     debug <general>: CPythonInvoker(5, /addons/plugin.video.slipstream/addon.py): start processing',
];
const SECOND_BEGUN = '2026-11-24 02:14:16.801 T:157      info <general>: slipstream-test: begun';
const ABORT =
  '2026-11-24 02:14:16.927 T:43    critical <general>: Logic error due to two concurrent busydialogs, this is a known issue. The application will exit.';

test('an abort before our first line of the last call is not ours', () => {
  const log = [...CALLED, ABORT, SECOND_BEGUN].join('\n');
  expect(judgeEnding(134, log)).toEqual({ status: 134, line: ABORT, after: 225, ours: false });
});

test('an abort after it is ours', () => {
  const log = [...CALLED, SECOND_BEGUN, ABORT].join('\n');
  expect(judgeEnding(134, log)).toEqual({ status: 134, line: ABORT, after: 225, ours: true });
});

test('the start of a script that is not ours acquits nobody', () => {
  const other =
    '2026-11-24 02:14:16.900 T:160     debug <general>: CPythonInvoker(6, /addons/plugin.video.rows/addon.py): start processing';
  expect(judgeEnding(134, [...CALLED, SECOND_BEGUN, other, ABORT].join('\n')).ours).toBe(true);
});

test('any other end is ours, and so is a Kodi that does not answer', () => {
  const log = [...CALLED, SECOND_BEGUN].join('\n');
  expect(judgeEnding(139, log)).toEqual({ status: 139, line: SECOND_BEGUN, after: 0, ours: true });
  expect(judgeEnding(undefined, `${log}\n`)).toEqual({ line: SECOND_BEGUN, after: 0, ours: true });
});
