import { SlipstreamError } from '../errors/index.ts';
import { isLocalHost } from '../io/local-network.ts';
import type { Fault, Untrusted } from '../io/untrusted.ts';
import type { Probing } from './probe.ts';
import { hostOf, type Sought } from './sought.ts';

/**
 * What is wrong with the certificate at the address that was entered, and what can be done: at home, another port may
 * speak plain HTTP. No other address by HTTPS is looked at, for the certificate is the same at each.
 */
export async function explainCertificate(
  error: Untrusted,
  sought: Sought,
  probing: Probing,
): Promise<SlipstreamError> {
  const { typed, place, isTheirs = false } = sought;
  const { words, origin, fault } = error;
  const what =
    origin === new URL(typed).origin
      ? `${hostOf(typed)} speaks HTTPS, but ${words}.`
      : `${hostOf(typed)} leads on to ${origin}, but ${words}.`;
  const plain = isTheirs ? undefined : await plainAddress(sought, probing);
  const own = isTheirs ? theirNext(fault, place) : error.explanation.next;
  const next = plain === undefined ? own : `Enter ${plain} as ${place}: plain HTTP is spoken there.`;
  return new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });
}

/** Where it answers by plain HTTP, which is enough within the person's own network. */
async function plainAddress(sought: Sought, probing: Probing): Promise<string | undefined> {
  const { typed, usualPorts, likely, isAt } = sought;
  const { hostname, pathname } = new URL(typed);
  if (!(await isLocalHost(new URL(typed), probing.signal))) return undefined;
  const bases = [
    ...(likely?.url.startsWith('http:') === true ? [likely.url] : []),
    ...usualPorts.map((port) => new URL(pathname, `http://${hostname}:${port}`).href.replace(/\/+$/, '')),
  ];
  const found = await Promise.all(bases.map((base) => isAt(base, probing)));
  return bases.find((_, at) => found[at]);
}

/** What can be done about the certificate of somebody else's server. */
function theirNext(fault: Fault, place: string): string {
  switch (fault) {
    case 'name':
      return `Check ${place}: it has to name the host that the certificate is for.`;
    case 'expired':
    case 'early':
      return 'Check the clock of this device; if it is right, try again later.';
    case 'self-signed':
    case 'issuer':
    case 'other':
      return `Check ${place}; if it is right, something on the way, such as a proxy or a filter, shows a certificate of its own.`;
  }
}
