import { SlipstreamError } from '../errors/index.ts';
import { isLocalHost } from '../io/local-network.ts';
import type { CertificateFault, UntrustedCertificate } from '../io/untrusted-certificate.ts';
import type { ProbeOptions } from './probe.ts';
import { hostAndPort, type ProbeTarget } from './probe-target.ts';
import { WrongAddressError } from './wrong-address.ts';

/**
 * What is wrong with the certificate at the address that was entered, and what can be done: at home, another port may
 * speak plain HTTP. No other address by HTTPS is looked at, for the certificate is the same at each.
 */
export async function explainCertificate(
  error: UntrustedCertificate,
  sought: ProbeTarget,
  probing: ProbeOptions,
): Promise<SlipstreamError> {
  const { enteredUrl: typed, settingLabel: place, isThirdParty: isTheirs = false } = sought;
  const { reason: words, origin, fault } = error;
  const what =
    origin === new URL(typed).origin
      ? `${hostAndPort(typed)} speaks HTTPS, but ${words}.`
      : `${hostAndPort(typed)} leads on to ${origin}, but ${words}.`;
  const plain = isTheirs ? undefined : await plainAddress(sought, probing);
  if (plain !== undefined)
    return new WrongAddressError(
      error,
      { what, next: `Enter ${plain} as ${place}: plain HTTP is spoken there.` },
      plain,
    );
  const next = isTheirs ? remoteNextStep(fault, place) : await localNextStep(error, probing);
  return new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });
}

/** What the owner of the server can do. */
async function localNextStep(
  { origin, fault }: UntrustedCertificate,
  probing: ProbeOptions,
): Promise<string> {
  const isLocal = await isLocalHost(new URL(origin), probing.signal);
  return isLocal ? LOCAL_NEXT[fault] : REMOTE_NEXT[fault];
}

/** Where it answers by plain HTTP, which is enough within the person's own network. */
async function plainAddress(sought: ProbeTarget, probing: ProbeOptions): Promise<string | undefined> {
  const { enteredUrl: typed, usualPorts, likelyVariant: likely, isAt } = sought;
  const { hostname, pathname } = new URL(typed);
  if (!(await isLocalHost(new URL(typed), probing.signal))) return undefined;
  const bases = [
    ...(likely?.url.startsWith('http:') === true ? [likely.url] : []),
    ...usualPorts.map((port) => new URL(pathname, `http://${hostname}:${port}`).href.replace(/\/+$/, '')),
  ];
  const found = await Promise.all(bases.map((base) => isAt(base, probing)));
  return bases.find((_, at) => found[at]);
}

const REPLACE_CERTIFICATE = 'Give it a certificate that every device trusts, such as one of Let’s Encrypt';
const ANOTHER_OR_PLAIN = `${REPLACE_CERTIFICATE}; or switch HTTPS off there and enter its http:// address.`;

const LOCAL_NEXT: Readonly<Record<CertificateFault, string>> = {
  'self-signed': ANOTHER_OR_PLAIN,
  issuer: ANOTHER_OR_PLAIN,
  expired: 'Renew it there; if it is new, set the clock of this device.',
  early: 'Set the clock of this device.',
  name: 'Enter its address by the name that the certificate is for.',
  other: ANOTHER_OR_PLAIN,
};

const ON_THE_WAY = 'something on the way, such as a proxy or a filter, shows a certificate of its own.';

/** Over the internet a key is not to be sent by plain HTTP, nor to whatever name a certificate tells. */
const REMOTE_NEXT: Readonly<Record<CertificateFault, string>> = {
  ...LOCAL_NEXT,
  'self-signed': `${REPLACE_CERTIFICATE}.`,
  issuer: `${REPLACE_CERTIFICATE}.`,
  name: `If that is a name of your server, enter its address by it; else ${ON_THE_WAY}`,
  other: `${REPLACE_CERTIFICATE}.`,
};

/** What can be done about the certificate of somebody else's server. */
function remoteNextStep(fault: CertificateFault, place: string): string {
  switch (fault) {
    case 'expired':
    case 'early':
      return 'Check the clock of this device; if it is right, try again later.';
    case 'self-signed':
    case 'issuer':
    case 'name':
    case 'other':
      return `Check ${place}; if it is right, ${ON_THE_WAY}`;
  }
}
