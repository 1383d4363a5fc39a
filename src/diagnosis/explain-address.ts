import { type ErrorCode, SlipstreamError } from '../errors/index.ts';
import { Moved } from '../io/moved.ts';
import { Untrusted } from '../io/untrusted.ts';
import { explainCertificate } from './certificate.ts';
import { Misplaced } from './misplaced.ts';
import { explainMove } from './move.ts';
import { isUntrusted, type Probing } from './probe.ts';
import { hostOf, type Sought, type Variant } from './sought.ts';
import { whoAnswers } from './who-answers.ts';

interface Explaining {
  readonly signal: AbortSignal;
  /** Milliseconds for one try, where it should be less than usual. */
  readonly timeout?: number;
  /** The error itself tells where the service is. */
  readonly isTelling?: boolean;
}

/** Milliseconds for one try; they run side by side. */
const PATIENCE = 3_000;

/** It is known who answers in place of the service. */
class SomebodyElse extends SlipstreamError {}

/** @returns the error in terms of the address, or as it is where nothing more is known */
export async function explainAddress(
  error: SlipstreamError,
  sought: Sought,
  { signal, timeout = PATIENCE, isTelling = false }: Explaining,
): Promise<SlipstreamError> {
  if (error instanceof SomebodyElse || !(LOST.has(error.code) || error.code === 'SERVICE_ERROR'))
    return error;
  const probing = { signal, timeout: Math.min(timeout, PATIENCE) };
  if (error instanceof Moved) return explainMove(error, sought);
  if (error instanceof Untrusted) return await explainCertificate(error, sought, probing);
  const [right, somebody] = await Promise.all([
    firstThat(triedAfter(error, sought), (variant) => isRight(variant, sought, probing)),
    isRefused(error) ? undefined : whoAnswers(new URL(sought.typed).origin, probing),
  ]);
  if (right !== undefined) return misplaced(error, sought, right);
  if (isTelling) return error;
  if (somebody !== undefined && !namesOf(sought).includes(somebody))
    return somebodyElse(error, sought, somebody);
  return elsewhere(error, sought);
}

/**
 * A refused key says something of the key only where it was shown to the right one: many services answer alike.
 * @returns the failure when somebody else is known to have refused it
 */
export async function refusedBySomebodyElse(
  error: SlipstreamError,
  sought: Sought,
  { signal, timeout = PATIENCE }: Explaining,
): Promise<SlipstreamError | undefined> {
  const probing = { signal, timeout: Math.min(timeout, PATIENCE) };
  if (await sought.isAt(sought.typed, probing)) return undefined;
  const somebody = await whoAnswers(new URL(sought.typed).origin, probing);
  if (somebody === undefined || namesOf(sought).includes(somebody)) return undefined;
  return somebodyElse(error, sought, somebody);
}

/** By these it may be somewhere else. What has a fault of its own is not: at the most it wants to be asked by HTTPS. */
const LOST: ReadonlySet<ErrorCode> = new Set(['UNREACHABLE', 'TIMEOUT', 'BAD_ANSWER', 'TOO_LARGE']);

const triedAfter = ({ code }: SlipstreamError, sought: Sought): Variant[] =>
  variantsOf(sought).filter(({ mistake }) => mistake === 'scheme' || LOST.has(code));

function variantsOf({ typed, usualPorts, usualPaths, likely }: Sought): Variant[] {
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
async function isRight({ url, mistake }: Variant, { isAt }: Sought, probing: Probing): Promise<boolean> {
  const looks = [isAt(url, probing), ...(mistake === 'scheme' ? [isUntrusted(url, probing)] : [])];
  return (await Promise.all(looks)).includes(true);
}

/** All at once, since each may cost its whole time; the first in order counts. */
async function firstThat(
  variants: readonly Variant[],
  isIt: (variant: Variant) => Promise<boolean>,
): Promise<Variant | undefined> {
  const outcomes = await Promise.all(variants.map(isIt));
  return variants.find((_, n) => outcomes[n]);
}

function misplaced(error: SlipstreamError, { it, place, typed }: Sought, right: Variant): SlipstreamError {
  const at = hostOf(typed);
  const known = (what: string, next: string) => new Misplaced(error, { what, next }, right.url);
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

function somebodyElse(error: SlipstreamError, sought: Sought, somebody: string): SlipstreamError {
  const { place, typed } = sought;
  const explanation = {
    what: `${somebody} answers at ${hostOf(typed)}, not ${namesOf(sought)[0]}.`,
    next: `Check the port of ${place}: each service has its own.`,
  };
  return new SomebodyElse('BAD_ANSWER', explanation, { cause: error, detail: error.message });
}

function elsewhere(error: SlipstreamError, sought: Sought): SlipstreamError {
  const { it, place, typed, mayBeOld = false, isTheirs = false } = sought;
  const at = hostOf(typed);
  if (isRefused(error))
    return explained(
      error,
      `Nothing runs at ${at}.`,
      isTheirs
        ? `Check ${place}; if it is right, try again later.`
        : `Start the server, or correct the port in ${place}.`,
    );
  if (error.code === 'BAD_ANSWER')
    return explained(
      error,
      `${at} answers, but ${lowerThe(it)} is not there.`,
      `Check port and path of ${place}${mayBeOld ? `; if both are right, update ${it}` : ''}.`,
    );
  return error;
}

const explained = (error: SlipstreamError, what: string, next: string) =>
  new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });

const namesOf = ({ it, names = [lowerThe(it)] }: Sought) => names;

const lowerThe = (text: string) => text.replace(/^The /, 'the ');

/** The host is there, and nothing listens at the port. */
const isRefused = ({ cause }: SlipstreamError) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
