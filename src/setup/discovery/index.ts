import { setMaxListeners } from 'node:events';
import { SERVICES } from '../../connections/services/index.ts';
import { lanAddress, neighbours } from './network.ts';
import { isOpen } from './open-port.ts';
import { type Found, recognise } from './recognise.ts';

export type { Found } from './recognise.ts';

/** Where to look. */
export interface Places {
  /** 256 at the most; absent: this machine, and its neighbours in the local network. */
  readonly hosts?: readonly string[];
  /** Absent: where the services listen unless somebody has changed it. */
  readonly ports?: readonly number[];
}

export interface FindOptions extends Places {
  readonly signal: AbortSignal;
  /** Called with each as soon as it is found. */
  readonly onFound?: (found: Found) => void;
}

const USUAL_PORTS = [...new Set(SERVICES.flatMap(({ usualPorts }) => usualPorts))];
const MOST_HOSTS = 256;
/** Connections at once: no home router takes offence. */
const AT_ONCE = 32;

/**
 * Looks for services, only ever because a person has asked for it: connects to a few ports of this machine and of the
 * 254 addresses around it, and asks what answers for its name. Takes some 20 s. Rejects only when the signal aborts.
 */
export async function findServices({
  hosts,
  ports = USUAL_PORTS,
  signal: wanted,
  onFound,
}: FindOptions): Promise<readonly Found[]> {
  const where = (hosts ?? (await nearHosts())).slice(0, MOST_HOSTS);
  const places = where.flatMap((host) => ports.map((port) => ({ host, port })));
  const signal = AbortSignal.any([wanted]);
  // Each connection listens to it, and a question to its own and its parent's.
  setMaxListeners(4 * AT_ONCE, signal);
  const found: Found[] = [];
  const waiting = places.values();
  const work = async () => {
    for (const { host, port } of waiting) {
      signal.throwIfAborted();
      const service = (await isOpen(host, port, signal))
        ? await recognise(originOf(host, port), signal)
        : undefined;
      if (service === undefined) continue;
      found.push(service);
      onFound?.(service);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, places.length) }, work));
  return found;
}

const originOf = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

async function nearHosts(): Promise<string[]> {
  const own = await lanAddress();
  return ['127.0.0.1', ...(own === undefined ? [] : neighbours(own))];
}
