import * as v from 'valibot';
import { SlipstreamError } from '../errors/index.ts';
import type { Properties } from '../host/port.ts';
import { badAnswer, fetchBounded } from '../io/http.ts';
import { parseJson } from '../io/json.ts';
import { poll } from '../io/wait.ts';
import type { LocalStream, RemoteFile } from '../model/index.ts';
import type { ListingRef } from './listing-ref.ts';
import { PROPERTY } from './properties.ts';
import { type ReplacementPlan, serializePlan } from './replacement-plan.ts';

/** Where the local proxy listens, and what opens it. */
export interface ProxyAddress {
  readonly port: number;
  readonly token: string;
}

/** A service that is still starting is waited for; after this long it is not coming. */
const PROXY_WAIT_MS = 10_000;
const PROXY_POLL_MS = 100;
const WHO = 'The Slipstream service';
/** For what it does at once. */
const QUICK_TIMEOUT_MS = 2_000;
/** The proxy itself gives up on a source earlier and says why. */
const PREPARE_TIMEOUT_MS = 25_000;

/** Reads the proxy's address from the shared properties, waiting up to 10 s. @throws PROXY_ABSENT */
export async function findProxy(properties: Properties, signal: AbortSignal): Promise<ProxyAddress> {
  const readAddress = async () => {
    const [port, token] = [
      await properties.get(PROPERTY.proxyPort),
      await properties.get(PROPERTY.proxyToken),
    ];
    return /^\d{1,5}$/.test(port) && token !== '' ? { port: Number(port), token } : undefined;
  };
  const found = await poll(readAddress, { signal, interval: () => PROXY_POLL_MS, deadline: PROXY_WAIT_MS });
  if (found !== undefined) return found;
  throw proxyAbsent();
}

function proxyAbsent(cause?: unknown): SlipstreamError {
  return new SlipstreamError(
    'PROXY_ABSENT',
    {
      what: 'The Slipstream service is not running.',
      next: "To have it at once, restart Kodi. If it stays away, Kodi's log says why it did not start.",
    },
    { cause },
  );
}

const PreparedShape = v.looseObject({
  name: v.exactOptional(v.string()),
  unseekable: v.exactOptional(v.literal(true)),
  url: v.pipe(v.string(), v.url()),
  mime: v.string(),
  size: v.pipe(v.number(), v.integer(), v.minValue(0)),
  subtitles: v.optional(v.array(v.pipe(v.string(), v.url()))),
});
const RefusalShape = v.looseObject({
  code: v.string(),
  what: v.string(),
  next: v.string(),
  failsAll: v.exactOptional(v.literal(true)),
  name: v.exactOptional(v.string()),
});

/** What goes along with a file for the service alone. */
interface ServiceData {
  readonly plan?: ReplacementPlan | undefined;
  readonly listed?: ListingRef | undefined;
  /** The list is to be asked first for where the stream is. */
  readonly anew?: boolean;
}

/**
 * Asks the proxy to open the source; its answer means that the first bytes were read.
 * @throws PREPARE_FAILED or DAMAGED when it is this file's fault, UNREACHABLE, SERVICE_ERROR, AUTH_FAILED or BUSY
 *   when it is not, all in the proxy's own words; PROXY_ABSENT when nothing answers.
 */
export async function prepareStream(
  {
    url: source,
    headers,
    name,
    size: expected,
    serving,
    subtitles,
    opening,
    plan,
    listed,
    anew,
  }: RemoteFile & ServiceData,
  proxy: ProxyAddress,
  signal: AbortSignal,
): Promise<LocalStream> {
  const who = WHO;
  const asked = fetchBounded({
    url: `http://127.0.0.1:${proxy.port}/prepare`,
    who,
    signal,
    method: 'POST',
    headers: { authorization: `Bearer ${proxy.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      url: source,
      headers,
      name,
      size: expected,
      serving,
      subtitles,
      opening,
      listed,
      ...(anew === true && { anew }),
      plan: plan && serializePlan(plan),
    }),
    timeout: PREPARE_TIMEOUT_MS + (opening?.wait ?? 0),
    maxRedirects: 0,
  });
  const answer = await asked.catch((error: unknown) => {
    throw error instanceof SlipstreamError && error.code === 'UNREACHABLE' ? proxyAbsent(error) : error;
  });
  const json = parseJson(answer.text());
  if (answer.status !== 200) throw prepareError(answer.status, json);
  const prepared = v.safeParse(PreparedShape, json);
  if (!prepared.success) throw badAnswer(who, `/prepare: ${prepared.issues[0].message}`);
  const { url, mime, size, name: declaredName, unseekable, subtitles: served } = prepared.output;
  return {
    url,
    mime,
    size,
    ...(declaredName !== undefined && { name: declaredName }),
    ...(unseekable !== undefined && { unseekable }),
    ...(served !== undefined && { subtitles: served }),
  };
}

/**
 * Leaves the service another plan for a stream that was prepared.
 * @throws PREPARE_FAILED when the stream has ended; what fetchBounded throws
 */
export async function updatePlan(
  url: string,
  plan: ReplacementPlan,
  { token }: ProxyAddress,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetchBounded({
    url: new URL('plan', url).href,
    who: WHO,
    signal,
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ plan: serializePlan(plan) }),
    timeout: QUICK_TIMEOUT_MS,
    maxRedirects: 0,
  });
  if (answer.status !== 204) throw prepareError(answer.status, parseJson(answer.text()));
}

/** Ends a stream that was prepared and is not to be played. @throws what fetchBounded throws */
export async function endStream(url: string, { token }: ProxyAddress, signal: AbortSignal): Promise<void> {
  await fetchBounded({
    url,
    who: WHO,
    signal,
    method: 'DELETE',
    timeout: QUICK_TIMEOUT_MS,
    maxRedirects: 0,
    headers: { authorization: `Bearer ${token}` },
  });
}

/**
 * The trouble of the server or of the proxy itself, which another release would meet as well; a damaged file is this
 * release's own, and so is all else. One file may be silent while others come.
 */
const FORWARDED_CODES = [
  ...(['UNREACHABLE', 'SERVICE_ERROR', 'AUTH_FAILED', 'BUSY', 'INTERNAL', 'DAMAGED'] as const),
  // Of an address that a service gave to be played.
  ...(['JOB_FAILED', 'JOB_TIMEOUT', 'NO_VIDEO', 'RATE_LIMITED'] as const),
];

/** What a service sent cannot be played; by its name it may be another release than the chosen one. */
export class UnplayableStream extends SlipstreamError {
  readonly declaredName: string;

  constructor(told: string, failure: SlipstreamError) {
    const { code, explanation, broken } = failure;
    super(code, explanation, { cause: failure, broken });
    this.declaredName = told;
  }
}

function prepareError(status: number, json: unknown): SlipstreamError {
  const said = v.safeParse(RefusalShape, json);
  const explanation = said.success
    ? { what: said.output.what, next: said.output.next }
    : { what: 'The stream could not be opened.', next: 'Try another release.' };
  const code = said.success ? said.output.code : 'no reason';
  const failure = new SlipstreamError(
    FORWARDED_CODES.find((each) => each === code) ?? 'PREPARE_FAILED',
    explanation,
    {
      detail: `/prepare answered ${status}, ${code}`,
      // The proxy has read the file's start, and says so of what it read.
      broken: code === 'DAMAGED',
      failsAll: said.success && said.output.failsAll === true,
    },
  );
  const { name } = said.success ? said.output : {};
  return name === undefined ? failure : new UnplayableStream(name, failure);
}
