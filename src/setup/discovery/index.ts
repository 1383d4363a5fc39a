import { setMaxListeners } from 'node:events';
import { SERVICES } from '../../connections/services/index.ts';
import { detectService, type FoundService } from './detect-service.ts';
import { openMachine } from './machine.ts';
import { lanAddress, neighbours } from './network.ts';
import { isPortOpen } from './open-port.ts';

export type { FoundService } from './detect-service.ts';
export { SCAN_DURATION_TEXT } from './duration.ts';

/** Where to look. */
export interface ScanTargets {
  /** 256 at the most; absent: this machine, and its neighbours in the local network. */
  readonly hosts?: readonly string[];
  /** Absent: where the services listen unless somebody has changed it. */
  readonly ports?: readonly number[];
}

export interface FindOptions extends ScanTargets {
  readonly signal: AbortSignal;
  /** Called with each as soon as it is found, also with those that are known when the signal aborts. */
  readonly onFound?: (found: FoundService) => void;
}

const USUAL_PORTS = [...new Set(SERVICES.flatMap(({ usualPorts }) => usualPorts))];
const MAX_HOSTS = 256;
/** Connections at once: no home router takes offence. */
export const MAX_CONNECTIONS = 32;

/**
 * Looks for services, only ever because a person has asked for it: connects to a few ports of this machine and of the
 * 254 addresses around it, and asks what answers for its name (how long that takes: duration.ts). Rejects only when the
 * signal aborts.
 */
export async function findServices({
  hosts,
  ports = USUAL_PORTS,
  signal: wanted,
  onFound,
}: FindOptions): Promise<readonly FoundService[]> {
  const where = (hosts ?? (await nearHosts())).slice(0, MAX_HOSTS);
  const signal = AbortSignal.any([wanted]);
  // Each connection listens to it, and a question to its own and its parent's.
  setMaxListeners(4 * MAX_CONNECTIONS, signal);
  const found: FoundService[] = [];
  const tell = (service: FoundService) => {
    found.push(service);
    onFound?.(service);
  };
  const machines = where.map((host) => ({ host, ...openMachine(ports.length, tell) }));
  const places = machines.flatMap((machine) => ports.map((port) => ({ ...machine, port })));
  const waiting = places.values();
  const work = async () => {
    for (const { host, port, add: hear } of waiting) {
      signal.throwIfAborted();
      hear(
        (await isPortOpen(host, port, signal))
          ? await detectService(originOf(host, port), signal)
          : undefined,
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(MAX_CONNECTIONS, places.length) }, work));
  } finally {
    for (const { end } of machines) end();
  }
  return found;
}

const originOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function nearHosts(): Promise<string[]> {
  const own = await lanAddress();
  return ['127.0.0.1', ...(own === undefined ? [] : neighbours(own))];
}
