import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { badAnswer } from '../../io/http-error.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { certainlyNoVideo } from '../../media/mime.ts';
import { beginsAsVideo } from '../../media/video-start.ts';
import { SourceFailure } from '../policy/failure.ts';
import { looksOf } from '../policy/looks.ts';
import { newId, type SessionRecord } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import type { OpenedAddress } from '../source/play-address.ts';
import type { Proof } from '../source/prove.ts';
import type { Source, SourceSpec } from '../source/source.ts';
import {
  FileName,
  FileSize,
  HttpUrl,
  OpeningShape,
  ServingShape,
  SourceHeaders,
  withoutUserInfo,
} from '../source/spec.ts';
import { placeOf, type SpotCheckOptions, spotCheck } from '../source/spot-check.ts';
import type { Target } from '../source/upstream.ts';
import type { ProxyContext } from '../stages.ts';
import { streamFileName } from './file-name.ts';
import { subtitlesBeside } from './subtitle-list.ts';

export const PrepareRequest = v.object({
  url: HttpUrl,
  headers: v.optional(SourceHeaders, {}),
  name: FileName,
  serving: v.exactOptional(ServingShape),
  /** The url is one that a service gave to be played. The name is then that of the release, and of the file where it tells none. */
  opening: v.exactOptional(OpeningShape),
  /** For the service, when the address has died: opaque here. */
  listed: v.optional(v.unknown()),
  /** It did not lead to the file that it was listed for: its list is asked first. */
  anew: v.exactOptional(v.literal(true)),
  /** What the backend says; the server of the file has the last word. */
  size: v.optional(FileSize),
  /** Beside the video, with the same headers. */
  subtitles: v.optional(v.array(v.unknown()), []),
  /** For the service, when the film breaks off: opaque here. */
  plan: v.optional(v.unknown()),
});

export type PrepareRequest = v.InferOutput<typeof PrepareRequest>;

/** A session, and the video's own name where an address that plays has told it. */
export interface OpenedSession {
  readonly session: Session;
  readonly told?: string;
}

/** What a service gave cannot be read in parts: only a player that reads it from its start to its end can play it. */
export class Unseekable extends Error {
  readonly stream: { readonly url: string; readonly size: number; readonly mime: string };

  constructor(stream: Unseekable['stream']) {
    super('its server answers no ranges');
    this.stream = stream;
  }
}

/**
 * A session for a source that has proven that it can be played: its first bytes have come, and the places that are cheap
 * to look at are there.
 *
 * @throws SlipstreamError DAMAGED when it lacks parts or is no video; as proveSource and openPlayAddress; Unseekable; the
 *   signal's reason when it aborts
 */
export async function openSession(
  context: ProxyContext,
  wanted: PrepareRequest,
  signal: AbortSignal,
): Promise<OpenedSession> {
  const { stages, connections, sessions } = context;
  const arrived = sessions.makeWay();
  try {
    const found = await openAddress(context, wanted, signal);
    const { spec, answer } = found;
    const source = stages.openSource(spec, connections, undefined, answer);
    const named = { ...wanted, name: found.name ?? wanted.name, size: found.size };
    const proof = await proveWhole(context, source, named, signal).catch((error: unknown) => {
      throw playableAsItIs(error, found, stages.mimeOf(NO_BYTES, named.name)) ?? error;
    });
    try {
      const session = sessionOf(context, { spec, source }, named, proof);
      session.start(proof, arrived);
      return { session, ...(found.name !== undefined && { told: found.name }) };
    } catch (error) {
      proof.rest?.body.close();
      throw error;
    }
  } catch (error) {
    arrived();
    throw error;
  }
}

/** Where the file is, after whatever its address leads through. */
async function openAddress(
  context: ProxyContext,
  wanted: PrepareRequest,
  signal: AbortSignal,
): Promise<Omit<OpenedAddress, 'size'> & { readonly size: number | undefined }> {
  const { stages, connections, log } = context;
  const { url, headers, serving, opening, size, anew } = wanted;
  const spec = withoutUserInfo({ url, headers, ...(serving !== undefined && { serving }) });
  if (opening === undefined) return { spec, size };
  const open = (target: Target) =>
    stages.openPlayAddress(connections, { ...spec, ...target, opening }, { signal, log });
  try {
    if (anew === true) throw died(opening.who);
    return await open(spec);
  } catch (error) {
    signal.throwIfAborted();
    // Its list may have another address for what is not there, and may make this one good again (protocols.md §8.11).
    const isGone = error instanceof SlipstreamError && error.code === 'BAD_ANSWER';
    const listed = isGone ? await listedNow(context, wanted, signal) : undefined;
    if (listed === undefined) throw error;
    log.info(`${opening.who}: the stream is opened by the address that its list names now`);
    return await open(listed);
  }
}

const died = (who: string) => badAnswer(who, 'the address leads to another file');

async function listedNow(
  { relist, log }: ProxyContext,
  { listed }: PrepareRequest,
  signal: AbortSignal,
): Promise<Target | undefined> {
  if (listed === undefined) return undefined;
  return await relist?.(listed, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    log.warning(`the list of the stream cannot be asked: ${error instanceof Error ? error.message : ''}`);
    return undefined;
  });
}

const NO_BYTES = new Uint8Array();

/** Headers cannot be given to a player. */
function playableAsItIs(
  error: unknown,
  { spec, size }: Awaited<ReturnType<typeof openAddress>>,
  mime: string,
): Unseekable | undefined {
  const cause = error instanceof SlipstreamError ? error.cause : undefined;
  const isWhole = cause instanceof SourceFailure && cause.kind === 'no-ranges';
  const needsHeaders = Object.keys(spec.headers).length > 0;
  if (!isWhole || spec.played === undefined || size === undefined || needsHeaders) return undefined;
  return new Unseekable({ url: spec.url, size, mime });
}

/** The proof of the start and the looks behind it, side by side; what fails first ends both. */
async function proveWhole(
  context: ProxyContext,
  source: Source,
  wanted: PrepareRequest,
  signal: AbortSignal,
): Promise<Proof> {
  const { stages, policies, log } = context;
  const { size, name } = wanted;
  const failing = new AbortController();
  const until = AbortSignal.any([signal, failing.signal]);
  const fail = (error: unknown) => {
    failing.abort(error);
    throw error;
  };
  const proving = stages.proveSource(source, {
    ...{ signal: until, size, decide: stages.decide, policy: policies.prepare },
  });
  const look = async () => {
    const known = size ?? (await proving).size;
    const mime = async () => stages.mimeOf((await proving).head, name);
    const lost = await lookBefore(source, { size: known, mime, policies, log }, until);
    // A server whose provider is away may call any place missing: only one that has just given the start is believed.
    await proving;
    if (lost !== undefined) throw incomplete(source.where, lost);
  };
  const [proof, looks] = await Promise.allSettled([proving.catch(fail), look().catch(fail)]);
  if (proof.status === 'rejected') throw await weighed(proof.reason, context, source, wanted, signal);
  if (looks.status === 'fulfilled') return proof.value;
  proof.value.rest?.body.close();
  throw looks.reason;
}

/** Milliseconds for the looks that tell what a missing start means. */
const WEIGHING = 8_000;

/**
 * A start that the server calls missing is lost where the middle is there, and the start is missing still: nzbdav
 * completes a job without its first article. Else the server's provider may be away.
 */
async function weighed(
  error: unknown,
  { stages, policies }: ProxyContext,
  source: Source,
  { size, name }: PrepareRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const cause = error instanceof SlipstreamError ? error.cause : undefined;
  if (size === undefined || !(cause instanceof SourceFailure) || cause.kind !== 'missing') return error;
  const time = deadlineSignal(signal, WEIGHING, () => new Error('it took too long'));
  const options = {
    ...{ source, size, signal: time.signal, policy: policies.read },
    mime: () => Promise.resolve(stages.mimeOf(new Uint8Array(), name)),
  };
  try {
    if ((await spotCheck(placeOf(1 / 2, size), options)).kind !== 'there') return error;
    return (await spotCheck(0, options)).kind === 'lost' ? incomplete(source.where, cause) : error;
  } catch {
    signal.throwIfAborted();
    return error;
  } finally {
    time.done();
  }
}

/** Looks where it is cheap. Gives why a place is lost; undefined: none is. */
async function lookBefore(
  source: Source,
  {
    size,
    mime,
    policies,
    log,
  }: Pick<ProxyContext, 'policies' | 'log'> & Pick<SpotCheckOptions, 'size' | 'mime'>,
  signal: AbortSignal,
): Promise<SourceFailure | undefined> {
  const looks = looksOf(source.serving);
  if (looks?.before !== true) return undefined;
  const options = { source, size, mime, policy: policies.prepare, signal };
  const findings = await Promise.all(looks.places.map((part) => spotCheck(placeOf(part, size), options)));
  for (const finding of findings)
    if (finding.kind === 'unknown')
      log.warning(`prepare: whether all of the file can be read is not known: ${finding.failure.message}`);
  const [lost] = findings.flatMap((finding) => (finding.kind === 'lost' ? [finding.failure] : []));
  return lost;
}

function sessionOf(
  { stages, createSession, log }: ProxyContext,
  { spec, source }: { readonly spec: SourceSpec; readonly source: Source },
  wanted: PrepareRequest,
  { size, head }: Proof,
): Session {
  checkStart(head, source.where);
  if (wanted.size !== undefined && wanted.size !== size)
    log.warning(`prepare: the file has ${size} bytes, ${wanted.size} were expected`);
  const mime = stages.mimeOf(head, wanted.name);
  const record: SessionRecord = {
    id: newId(),
    sources: [spec],
    validators: source.validators ?? {},
    name: streamFileName(wanted.name, mime),
    size,
    mime,
    fills: [],
    subtitles: subtitlesBeside(spec, wanted.subtitles, log),
    ...(wanted.listed !== undefined && { listed: wanted.listed }),
    ...(wanted.plan !== undefined && { plan: wanted.plan }),
  };
  log.info(`prepared ${record.name} (${size} bytes, ${mime}) from ${source.where}`);
  return createSession(record, [source]);
}

const incomplete = (where: string, cause: SourceFailure) =>
  new SlipstreamError(
    'DAMAGED',
    { what: `Parts of the video are missing at the file server (${where}).`, next: 'Try another release.' },
    { cause, detail: cause.message },
  );

/** A player would try for a while, and then say less, or show noise. @throws BAD_ANSWER, DAMAGED */
function checkStart(head: Uint8Array, where: string): void {
  const other = certainlyNoVideo(head);
  if (other !== undefined) throw noVideo(where, other);
  if (!beginsAsVideo(head)) throw noise(where);
}

const noise = (where: string) =>
  new SlipstreamError(
    'DAMAGED',
    {
      what: 'The file is no video: it is encrypted, or damaged at its start.',
      next: 'Try another release.',
    },
    { detail: `what ${where} sent begins as no video does` },
  );

const noVideo = (where: string, other: string) =>
  new SlipstreamError('BAD_ANSWER', {
    what: `The file server (${where}) sent ${other} in the place of the video.`,
    next: 'Choose another release.',
  });
