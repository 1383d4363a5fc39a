import { expect, it } from 'vitest';
import { Fills } from '../../../src/stream-proxy/holes/fills.ts';
import { MissingRangeProber } from '../../../src/stream-proxy/holes/missing-range.ts';
import { ServerHealth } from '../../../src/stream-proxy/holes/server-health.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { FILL_POLICY } from '../../../src/stream-proxy/policy/fills.ts';
import { READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import type { ByteSource } from '../../../src/stream-proxy/source/source.ts';
import { opened } from '../reader/simulated.ts';
import { COMPLETE } from './stage.ts';

const SIZE = 500_000_000;
const MISSING = new SourceFailure('missing', 'HTTP 404');

/** Looks into a place of a server that has its files again once it has been looked at whether it serves any. */
async function lookWhileItRecovers(position: number) {
  const server = { isAway: true };
  const { signal } = new AbortController();
  const source: ByteSource = {
    host: 'the server',
    label: 'The server',
    serving: COMPLETE,
    validators: undefined,
    open: (wish) => {
      if (server.isAway) return Promise.reject(MISSING);
      const answer = opened(wish, SIZE);
      answer.body.deliver(1);
      return Promise.resolve(answer);
    },
  };
  const policy = { ...FILL_POLICY, confirmAfter: 20 };
  const standing = new ServerHealth({
    policy,
    probe: () => {
      server.isAway = false;
      return Promise.resolve(true);
    },
    journal: { troubled: () => undefined },
    onProbe: () => true,
  });
  // Bytes came a moment ago, so that the first look at the server is the one that decides.
  standing.onBytes(0, 65_536);
  const places = new MissingRangeProber({
    source,
    size: SIZE,
    mime: 'video/x-matroska',
    policy,
    read: READ_POLICY,
    standing,
    signal,
    planFill: () => Promise.resolve({ refused: 'the test fills nothing' }),
    file: { size: SIZE, read: () => Promise.reject(new Error('is not read')) },
    stream: { isWanted: () => false, continueWith: () => undefined, has: () => true },
    fills: new Fills([]),
    onProbe: () => undefined,
  });
  return places.probe(position, MISSING);
}

it.each([
  ['the rest of a file is not filled', SIZE - 5_000_000],
  ['more than may be filled is not refused for good', SIZE / 2],
])('%s, when the server has it again once it was looked at', async (_what, position) => {
  expect(await lookWhileItRecovers(position)).toBe('late');
});
