import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../child.ts';
import { play } from '../client.ts';
import type { Figure } from '../figure.ts';
import { FILE_SIZE, FILM_RATE, localUrl, MIB } from '../proxy/setup.ts';
import { type UseResource, withResources } from '../resources.ts';
import { type Service, startService } from '../service.ts';
import { shippedNode, versionOf } from '../shipped-node.ts';
import { resident, scheduledSeconds } from '../usage.ts';

/** MiB, before the first film and a minute after one. */
const LIMIT = 90;
const LIMIT_AFTER = 115;
/** Percent of one core. */
const CPU_LIMIT = 0.1;
/** Milliseconds. */
const SETTLED = 20_000;
const MINUTE = 60_000;
/** Seconds of a film at 100 Mbit/s: more than the read-ahead holds. */
const FILM = 30;

/** The service as Kodi runs it: on the Node that ships, pinged each second. */
async function startIdle(use: UseResource): Promise<{ service: Service; node: string }> {
  const node = await shippedNode();
  const service = await use(startService({ node, pinged: true }));
  await sleep(SETTLED);
  return { service, node: await versionOf(node) };
}

/** What the service takes of memory while nothing was ever played. */
export const idleMemory: Figure = {
  name: 'service.idle-memory',
  unit: 'MiB',
  target: `≤ ${LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const { service, node } = await startIdle(use);
      const value = (await resident(service.pid)) / MIB;
      return { value, met: value <= LIMIT, note: `${node}, before its first use` };
    }),
};

/** The same a minute after a film has ended. */
export const idleMemoryAfter: Figure = {
  name: 'service.idle-memory-after',
  unit: 'MiB',
  target: `≤ ${LIMIT_AFTER}`,
  measure: () =>
    withResources(async (use) => {
      const origin = await use(startChild('memory-server.ts', String(FILE_SIZE)));
      const { service, node } = await startIdle(use);
      await play(await service.prepare(localUrl(origin.said)), FILM_RATE, FILM);
      const playing = (await resident(service.pid)) / MIB;
      await sleep(MINUTE);
      const value = (await resident(service.pid)) / MIB;
      const note = `${node}, one minute after ${FILM} s at 100 Mbit/s; ${playing.toFixed(0)} MiB at its end`;
      return { value, met: value <= LIMIT_AFTER, note };
    }),
};

/** How much of a core it takes to do nothing, by the scheduler's own clock. */
export const idleCpu: Figure = {
  name: 'service.idle-cpu',
  unit: '%',
  target: `≤ ${CPU_LIMIT}`,
  measure: () =>
    withResources(async (use) => {
      const { service, node } = await startIdle(use);
      const before = await scheduledSeconds(service.pid);
      await sleep(MINUTE);
      const used = (await scheduledSeconds(service.pid)) - before;
      const value = (used / (MINUTE / 1000)) * 100;
      return { value, met: value <= CPU_LIMIT, note: `${node}, over a minute, pinged each second` };
    }),
};
