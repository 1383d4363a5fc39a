import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, SlipstreamError } from '../../../src/errors/index.ts';
import { openCooldowns } from '../../../src/search/run/cooldown.ts';
import { memoryLog } from '../../support/log.ts';
import { newFolder } from '../folder.ts';

const MINUTE = 60_000;
const START = Date.UTC(2024, 0, 1);
const failure = (code: ErrorCode, retryAfter?: number) =>
  new SlipstreamError(
    code,
    { what: 'It failed.', next: 'Look.' },
    retryAfter === undefined ? {} : { retryAfter },
  );

async function openTest() {
  const folder = await newFolder();
  const clock = { now: START };
  const log = memoryLog();
  const rests = openCooldowns({ folder, log, now: () => clock.now });
  return { folder, clock, log, rests };
}

describe('a rest', () => {
  it('lasts as long as the source asks, also for other runs', async () => {
    const { rests, folder, clock } = await openTest();
    const rest = { until: START + 10 * MINUTE, reason: 'limit' };
    expect(await rests.recordFailure('a', failure('RATE_LIMITED', 10 * MINUTE))).toEqual(rest);
    const other = openCooldowns({ folder, log: memoryLog(), now: () => clock.now });
    expect(await other.of('a')).toEqual(rest);
    expect(await other.of('b')).toBeUndefined();
    clock.now = START + 10 * MINUTE;
    expect(await other.of('a')).toBeUndefined();
  });

  it('grows from limit to limit where the source does not say how long, and begins anew after an answer', async () => {
    const { rests, clock } = await openTest();
    const minutes = async () => {
      const { until = 0 } = (await rests.recordFailure('a', failure('RATE_LIMITED'))) ?? {};
      const ms = until - clock.now;
      clock.now = until;
      return ms / MINUTE;
    };
    const row = [await minutes(), await minutes(), await minutes(), await minutes(), await minutes()];
    expect(row).toEqual([5, 15, 60, 180, 360]);
    expect([await minutes(), await minutes()]).toEqual([1440, 1440]);
    await rests.recordSuccess('a');
    expect(await minutes()).toBe(5);
  });

  it('for a limit is not made shorter by a failure of a query that was under way', async () => {
    const { rests, clock } = await openTest();
    const rest = await rests.recordFailure('a', failure('RATE_LIMITED', 60 * MINUTE));
    for (let i = 0; i < 4; i++) expect(await rests.recordFailure('a', failure('TIMEOUT'))).toEqual(rest);
    expect(await rests.of('a')).toEqual({ until: START + 60 * MINUTE, reason: 'limit' });
    clock.now = START + 60 * MINUTE;
    // The failures count all the same once it is over.
    expect(await rests.recordFailure('a', failure('TIMEOUT'))).toEqual({
      until: clock.now + 15 * MINUTE,
      reason: 'failures',
    });
  });

  it('for a limit is not made shorter by a limit that asks for less', async () => {
    const { rests } = await openTest();
    const rest = await rests.recordFailure('a', failure('RATE_LIMITED', 60 * MINUTE));
    expect(await rests.recordFailure('a', failure('RATE_LIMITED', MINUTE))).toEqual(rest);
  });

  it('for failures becomes one for a limit when that is met', async () => {
    const { rests } = await openTest();
    for (let i = 0; i < 5; i++) await rests.recordFailure('a', failure('TIMEOUT'));
    expect(await rests.recordFailure('a', failure('RATE_LIMITED', MINUTE))).toEqual({
      until: START + 15 * MINUTE,
      reason: 'limit',
    });
  });

  it('that runs is not ended by an answer, which was asked for before it began', async () => {
    const { rests, clock } = await openTest();
    const rest = await rests.recordFailure('a', failure('RATE_LIMITED', MINUTE));
    await rests.recordSuccess('a');
    expect(await rests.of('a')).toEqual(rest);
    clock.now = START + MINUTE;
    await rests.recordSuccess('a');
    expect(await rests.recordFailure('a', failure('RATE_LIMITED'))).toMatchObject({
      until: START + 6 * MINUTE,
    });
  });

  it('is never longer than a day', async () => {
    const { rests, clock } = await openTest();
    expect((await rests.recordFailure('a', failure('RATE_LIMITED', 1e12)))?.until).toBe(
      START + 1440 * MINUTE,
    );
    // A clock that was set back must not make it longer.
    clock.now = START - MINUTE;
    expect(await rests.of('a')).toBeUndefined();
  });

  it.each<ErrorCode>(['TIMEOUT', 'UNREACHABLE', 'BAD_ANSWER', 'TOO_LARGE', 'SERVICE_ERROR'])(
    'comes with the third %s in a row',
    async (code) => {
      const { rests } = await openTest();
      expect(await rests.recordFailure('a', failure(code))).toBeUndefined();
      expect(await rests.recordFailure('a', failure(code))).toBeUndefined();
      expect(await rests.recordFailure('a', failure(code))).toEqual({
        until: START + MINUTE,
        reason: 'failures',
      });
    },
  );

  it('does not come with failures between which it answered', async () => {
    const { rests } = await openTest();
    for (let i = 0; i < 5; i++) {
      expect(await rests.recordFailure('a', failure('TIMEOUT'))).toBeUndefined();
      await rests.recordSuccess('a');
    }
  });

  it.each<ErrorCode>(['AUTH_FAILED', 'INVALID_REQUEST', 'INTERNAL'])('cures no %s', async (code) => {
    const { rests, folder } = await openTest();
    for (let i = 0; i < 9; i++) expect(await rests.recordFailure('a', failure(code))).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is none where its file is damaged', async () => {
    const { rests, folder } = await openTest();
    await rests.recordFailure('a', failure('RATE_LIMITED'));
    const [file = ''] = await readdir(folder);
    for (const text of ['', '{}', '{"version":1,"value":{"until":"x"}}']) {
      await writeFile(join(folder, file), text);
      expect(await rests.of('a')).toBeUndefined();
    }
  });

  it('that cannot be written stops nothing', async () => {
    const { folder } = await openTest();
    await writeFile(join(folder, 'file'), '');
    const log = memoryLog();
    const rests = openCooldowns({ folder: join(folder, 'file'), log });
    expect(await rests.recordFailure('a', failure('RATE_LIMITED'))).toMatchObject({ reason: 'limit' });
    expect(log.lines.join()).toContain('not remembered');
  });
});
