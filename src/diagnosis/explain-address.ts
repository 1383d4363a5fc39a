import { type ErrorCode, SlipstreamError } from '../errors/index.ts';
import { CrossOriginRedirect } from '../io/cross-origin-redirect.ts';
import { UntrustedCertificate } from '../io/untrusted-certificate.ts';
import { explainCertificate } from './certificate.ts';
import { explainRedirect } from './explain-redirect.ts';
import { identifyServer } from './identify-server.ts';
import { hasUntrustedCertificate, type ProbeOptions } from './probe.ts';
import { hostAndPort, type ProbeTarget, type Variant } from './probe-target.ts';
import { WrongAddressError } from './wrong-address.ts';

interface ExplainOptions {
  readonly signal: AbortSignal;
  /** Milliseconds for one try, where it should be less than usual. */
  readonly timeout?: number;
  /** The error itself tells where the service is. */
  readonly isTelling?: boolean;
}

/** Milliseconds for one try; they run side by side. */
const PROBE_TIMEOUT = 3_000;

/** It is known who answers in place of the service. */
class OtherServerError extends SlipstreamError {}

/** @returns the error in terms of the address, or as it is where nothing more is known */
export async function explainAddress(
  error: SlipstreamError,
  sought: ProbeTarget,
  { signal, timeout = PROBE_TIMEOUT, isTelling = false }: ExplainOptions,
): Promise<SlipstreamError> {
  if (
    error instanceof OtherServerError ||
    !(UNREACHED_CODES.has(error.code) || error.code === 'SERVICE_ERROR')
  )
    return error;
  const probing = { signal, timeout: Math.min(timeout, PROBE_TIMEOUT) };
  if (error instanceof CrossOriginRedirect) return explainRedirect(error, sought);
  if (error instanceof UntrustedCertificate) return await explainCertificate(error, sought, probing);
  const [right, somebody] = await Promise.all([
    firstMatching(triedAfter(error, sought), (variant) => isRight(variant, sought, probing)),
    isConnectionRefused(error) ? undefined : identifyServer(new URL(sought.enteredUrl).origin, probing),
  ]);
  if (right !== undefined) return wrongAddressError(error, sought, right);
  if (isTelling) return error;
  if (somebody !== undefined && !namesOf(sought).includes(somebody))
    return otherServerError(error, sought, somebody);
  return notFoundError(error, sought);
}

/**
 * A refused key says something of the key only where it was shown to the right one: many services answer alike.
 * @returns the failure when somebody else is known to have refused it
 */
export async function refusedByOtherServer(
  error: SlipstreamError,
  sought: ProbeTarget,
  { signal, timeout = PROBE_TIMEOUT }: ExplainOptions,
): Promise<SlipstreamError | undefined> {
  const probing = { signal, timeout: Math.min(timeout, PROBE_TIMEOUT) };
  if (await sought.isAt(sought.enteredUrl, probing)) return undefined;
  const somebody = await identifyServer(new URL(sought.enteredUrl).origin, probing);
  if (somebody === undefined || namesOf(sought).includes(somebody)) return undefined;
  return otherServerError(error, sought, somebody);
}

/** By these it may be somewhere else. What has a fault of its own is not: at the most it wants to be asked by HTTPS. */
const UNREACHED_CODES: ReadonlySet<ErrorCode> = new Set([
  'UNREACHABLE',
  'TIMEOUT',
  'BAD_ANSWER',
  'TOO_LARGE',
]);

const triedAfter = ({ code }: SlipstreamError, sought: ProbeTarget): Variant[] =>
  variantsOf(sought).filter(({ mistake }) => mistake === 'scheme' || UNREACHED_CODES.has(code));

function variantsOf({
  enteredUrl: typed,
  usualPorts,
  usualPaths,
  likelyVariant: likely,
}: ProbeTarget): Variant[] {
  const url = new URL(typed);
  const otherScheme = new URL(typed.replace(/^https?/, url.protocol === 'https:' ? 'http' : 'https'));
  // Of an address without a port the other scheme has another port.
  if (url.port === '') otherScheme.port = '';
  const atPath = (path: string): Variant => ({ url: url.origin + path, mistake: 'path' });
  const atPort = (port: string): Variant => {
    const other = new URL(`http://${url.hostname}`);
    other.port = port;
    return { url: other.origin, mistake: 'port' };
  };
  return [
    { url: otherScheme.href.replace(/\/+$/, ''), mistake: 'scheme' },
    ...(likely === undefined ? [] : [likely]),
    ...['', ...usualPaths].filter((path) => path !== url.pathname.replace(/\/+$/, '')).map(atPath),
    ...usualPorts.filter((port) => port !== url.port).map(atPort),
  ];
}

/** A certificate that is not trusted hides whoever is there, and proves no more than that HTTPS is spoken. */
async function isRight(
  { url, mistake }: Variant,
  { isAt }: ProbeTarget,
  probing: ProbeOptions,
): Promise<boolean> {
  const looks = [
    isAt(url, probing),
    ...(mistake === 'scheme' ? [hasUntrustedCertificate(url, probing)] : []),
  ];
  return (await Promise.all(looks)).includes(true);
}

/** All at once, since each may cost its whole time; the first in order counts. */
async function firstMatching(
  variants: readonly Variant[],
  isIt: (variant: Variant) => Promise<boolean>,
): Promise<Variant | undefined> {
  const outcomes = await Promise.all(variants.map(isIt));
  return variants.find((_, n) => outcomes[n]);
}

function wrongAddressError(
  error: SlipstreamError,
  { label: it, settingLabel: place, enteredUrl: typed }: ProbeTarget,
  right: Variant,
): SlipstreamError {
  const at = hostAndPort(typed);
  const known = (what: string, next: string) => new WrongAddressError(error, { what, next }, right.url);
  switch (right.mistake) {
    case 'scheme':
      return known(
        `${at} does not speak ${typed.startsWith('https:') ? 'HTTPS' : 'plain HTTP'}.`,
        `Begin ${place} with ${new URL(right.url).protocol}//.`,
      );
    case 'path':
      return known(`${it} is at another path of this server.`, `Enter ${right.url} as ${place}.`);
    case 'port':
      return known(`${it} is not at ${at}, but it answers at ${right.url}.`, `Enter that as ${place}.`);
  }
}

function otherServerError(error: SlipstreamError, sought: ProbeTarget, somebody: string): SlipstreamError {
  const { settingLabel: place, enteredUrl: typed } = sought;
  const explanation = {
    what: `${somebody} answers at ${hostAndPort(typed)}, not ${namesOf(sought)[0]}.`,
    next: `Check the port of ${place}: each service has its own.`,
  };
  return new OtherServerError('BAD_ANSWER', explanation, { cause: error, detail: error.message });
}

function notFoundError(error: SlipstreamError, sought: ProbeTarget): SlipstreamError {
  const {
    label: it,
    settingLabel: place,
    enteredUrl: typed,
    mayBeOld = false,
    isThirdParty: isTheirs = false,
  } = sought;
  const at = hostAndPort(typed);
  if (isConnectionRefused(error))
    return explainedError(
      error,
      `Nothing runs at ${at}.`,
      isTheirs
        ? `Check ${place}; if it is right, try again later.`
        : `Start the server, or correct the port in ${place}.`,
    );
  if (error.code === 'BAD_ANSWER')
    return explainedError(
      error,
      `${at} answers, but ${lowerThe(it)} is not there.`,
      `Check port and path of ${place}${mayBeOld ? `; if both are right, update ${it}` : ''}.`,
    );
  return error;
}

const explainedError = (error: SlipstreamError, what: string, next: string) =>
  new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });

const namesOf = ({ label: it, names = [lowerThe(it)] }: ProbeTarget) => names;

const lowerThe = (text: string) => text.replace(/^The /, 'the ');

/** The host is there, and nothing listens at the port. */
const isConnectionRefused = ({ cause }: SlipstreamError) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
