import { expect, onTestFinished } from 'vitest';
import { policiesOf } from '../../../src/service/policies.ts';
import { parseSettings } from '../../../src/settings/index.ts';
import { readAheadBytes } from '../../../src/stream-proxy/policy/buffer.ts';
import { ConcurrencyTuner } from '../../../src/stream-proxy/policy/concurrency.ts';
import { maxHoleNow } from '../../../src/stream-proxy/policy/fills.ts';
import { decideRetry, POLICIES } from '../../../src/stream-proxy/policy/policies.ts';
import { startFileServer } from '../../support/file-server.ts';
import { play, prepare, startTestProxy } from '../../support/proxy.ts';
import { type Effect, effect, type Raw } from './effect.ts';

const MIB = 1_048_576;
/** Bytes: a box of today. */
const MEMORY = 4_096 * MIB;
const of = (raw: Raw, memory = MEMORY) => policiesOf(parseSettings(raw), memory);

/** Whether another attempt is made after so many seconds without a byte. */
const waits = (part: 'read' | 'prepare', raw: Raw, seconds: number) => {
  const about = { kind: 'stalled', fruitless: 1, alike: 1, waited: seconds * 1000, flowing: true } as const;
  return decideRetry(of(raw)[part], about).kind === 'retry';
};

/** Connections that are tried at most for a player that stays hungry, where each more of them is faster. */
function widest(raw: Raw): number {
  const tuner = new ConcurrencyTuner(of(raw).concurrency);
  let widest = 1;
  for (let now = 0; now < 60_000; now += 50) {
    tuner.received(tuner.width * 50_000, now);
    widest = Math.max(widest, tuner.width);
  }
  return widest;
}

/** What the log tells of a film whose server breaks off once. */
async function toldOf(raw: Raw): Promise<readonly string[]> {
  const files = await startFileServer(4_000_037, (_, index) => (index === 0 ? { dropAfter: 1_000_000 } : {}));
  const { log_decisions: logsDecisions } = parseSettings(raw);
  const proxy = await startTestProxy();
  onTestFinished(async () => {
    await proxy.close();
    await files.close();
  });
  proxy.configure({ policies: of(raw), logsDecisions });
  const { url } = await prepare(proxy, files.url);
  expect(await play(url)).toMatchObject({ complete: true });
  return proxy.lines.filter((line) => line.includes('retry at byte'));
}

/** Resilience: how the proxy reads. */
export const STREAMING_EFFECTS: readonly Effect[] = [
  effect({ read_ahead_mb: '100' }, 'is what is read ahead, as far as the box has it', () => {
    expect(of({})).toEqual(POLICIES);
    expect(readAheadBytes(of({ read_ahead_mb: '100' }).buffer) - readAheadBytes(of({}).buffer)).toBe(
      68 * MIB,
    );
    expect(of({ read_ahead_mb: '100' }).buffer.totalMemory).toBe(200 * MIB);
    const small = of({ read_ahead_mb: '512' }, 512 * MIB).buffer;
    expect([small.sessionMemory, small.totalMemory]).toEqual([32 * MIB, 64 * MIB]);
  }),
  effect({ most_connections: '2' }, 'is how many connections are tried', () => {
    expect([widest({}), widest({ most_connections: '2' }), widest({ most_connections: '1' })]).toEqual([
      6, 2, 1,
    ]);
  }),
  effect({ bridge_gaps: 'false' }, 'fills nothing', () => {
    const allowed = (raw: Raw) => maxHoleNow(of(raw).fills, { bytes: 0, count: 0 }, 1e12);
    expect([allowed({}), allowed({ bridge_gaps: 'false' })]).toEqual([16 * MIB, 0]);
  }),
  effect({ bridge_most_mb: '3' }, 'is how much of a film may be filled', () => {
    const allowed = (raw: Raw) => maxHoleNow(of(raw).fills, { bytes: 2 * MIB, count: 1 }, 1e12);
    expect([allowed({}), allowed({ bridge_most_mb: '3' })]).toEqual([16 * MIB, MIB]);
  }),
  effect({ open_patience: '6' }, 'is how long a file may take to open', () => {
    const attempts = (raw: Raw, seconds: number) => {
      const { prepare } = of(raw);
      const about = { kind: 'unreachable', fruitless: 1, alike: 1, flowing: false } as const;
      return decideRetry(prepare, { ...about, waited: seconds * 1000 }).kind === 'retry';
    };
    expect([attempts({}, 10), attempts({ open_patience: '6' }, 10)]).toEqual([true, false]);
    expect(of({ open_patience: '6' }).prepare.lateHeadAfter).toBe(6_000);
  }),
  effect({ log_decisions: 'true' }, 'tells in the log what was tried again', async () => {
    expect(await toldOf({})).toEqual([]);
    expect(await toldOf({ log_decisions: 'true' })).not.toEqual([]);
  }),
  effect({ stall_patience: '20' }, 'is how long nothing may come, within the limits of Kodi', () => {
    expect([waits('read', {}, 8), waits('read', { stall_patience: '4' }, 8)]).toEqual([true, false]);
    expect(waits('read', { stall_patience: '20' }, 9.5)).toBe(false);
    const atStart = (raw: Raw) => of(raw).read.firstByteTimeout;
    expect([atStart({}), atStart({ stall_patience: '20' })]).toEqual([15_000, 19_500]);
  }),
];
