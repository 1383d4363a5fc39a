import { SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal } from '../../io/wait.ts';
import { mimeForPlayer } from '../../media/player-mime.ts';
import { SourceFailure } from '../policy/failure.ts';
import { spotChecksFor } from '../policy/spot-checks.ts';
import type { UpstreamResponse } from '../source/http1/types.ts';
import { ConfirmingSource } from '../source/open-confirmed.ts';
import { type ByteSource, serverLabel } from '../source/source.ts';
import { positionOf, type SpotCheckOptions, spotCheck } from '../source/spot-check.ts';
import { RangesUnsupported, type VerifiedStart } from '../source/verify.ts';
import type { ProxyContext } from '../stages.ts';
import { assertVideo } from './assert-video.ts';
import type { ResolvedAddress } from './open-address.ts';

/** What a service gave cannot be read in parts: only a player that reads it from its start to its end can play it. */
export class Unseekable extends Error {
  readonly stream: {
    readonly url: string;
    readonly size: number;
    readonly mime: string;
    /** As OpenedSession.declaredName. */
    readonly name?: string;
  };

  constructor(stream: Unseekable['stream']) {
    super('its server answers no ranges');
    this.stream = stream;
  }
}

/** As far as it is known. */
interface FileInfo {
  readonly name: string;
  readonly size: number | undefined;
}

/** A source that has proven that it can be played. */
export interface VerifiedSource {
  readonly source: ByteSource;
  readonly proof: VerifiedStart;
}

/**
 * Opens and proves a source. Where all that comes contradicts the first answer, or the size that somebody else has told,
 * the file's own server has the last word: it is proven anew, with nothing taken for known.
 */
export async function openVerified(
  context: ProxyContext,
  { spec, size, answer }: ResolvedAddress,
  name: string,
  signal: AbortSignal,
): Promise<VerifiedSource> {
  const { stages, connections } = context;
  const prove = async (file: FileInfo, given?: UpstreamResponse) => {
    const source = stages.openSource(spec, connections, undefined, given);
    return { source, proof: await verifyWhole(context, new ConfirmingSource(source), file, signal) };
  };
  return await prove({ name, size }, answer).catch((error: unknown) => {
    if (failureIn(error)?.kind !== 'changed') throw error;
    return prove({ name, size: undefined });
  });
}

/** What of the source an error tells. */
function failureIn(error: unknown): SourceFailure | undefined {
  const cause = error instanceof SlipstreamError ? error.cause : undefined;
  return cause instanceof SourceFailure ? cause : undefined;
}

/** Headers cannot be given to a player. @throws as assertVideo and mimeForPlayer */
export function unseekableIn(error: unknown, { spec, name }: ResolvedAddress): Unseekable | undefined {
  const failure = failureIn(error);
  const { url, headers, played } = spec;
  const needsHeaders = Object.keys(headers).length > 0;
  if (!(failure instanceof RangesUnsupported) || played === undefined || needsHeaders) return undefined;
  const { head, size } = failure;
  assertVideo(head, serverLabel(spec));
  return new Unseekable({ url, size, mime: mimeForPlayer(url, head), ...(name !== undefined && { name }) });
}

/** The proof of the start and the looks behind it, side by side; what fails first ends both. */
async function verifyWhole(
  context: ProxyContext,
  source: ByteSource,
  file: FileInfo,
  signal: AbortSignal,
): Promise<VerifiedStart> {
  const { stages, policies, log } = context;
  const { size, name } = file;
  const failing = new AbortController();
  const until = AbortSignal.any([signal, failing.signal]);
  const fail = (error: unknown) => {
    failing.abort(error);
    throw error;
  };
  const proving = stages.verifySource(source, {
    signal: until,
    size,
    decide: stages.decide,
    policy: policies.prepare,
  });
  const look = async () => {
    const known = size ?? (await proving).size;
    const mime = async () => stages.mimeOf((await proving).head, name);
    const lost = await spotCheckBefore(source, { size: known, mime, policies, log }, until);
    // A server whose provider is away may call any place missing: only one that has just given the start is believed.
    await proving;
    if (lost !== undefined) throw incompleteError(source.label, lost);
  };
  const [proof, looks] = await Promise.allSettled([proving.catch(fail), look().catch(fail)]);
  if (proof.status === 'rejected')
    throw await explainMissingStart(proof.reason, context, source, file, signal);
  if (looks.status === 'fulfilled') return proof.value;
  proof.value.remainder?.body.close();
  throw looks.reason;
}

/** Milliseconds for the looks that tell what a missing start means. */
const MISSING_START_TIMEOUT = 8_000;

/**
 * A start that the server calls missing is lost where the middle is there, and the start is missing still: nzbdav
 * completes a job without its first article. Else the server's provider may be away.
 */
async function explainMissingStart(
  error: unknown,
  { stages, policies }: ProxyContext,
  source: ByteSource,
  { size, name }: FileInfo,
  signal: AbortSignal,
): Promise<unknown> {
  const cause = failureIn(error);
  if (size === undefined || cause?.kind !== 'missing') return error;
  const time = deadlineSignal(signal, MISSING_START_TIMEOUT, () => new Error('it took too long'));
  const options = {
    source,
    size,
    signal: time.signal,
    policy: policies.read,
    mime: () => Promise.resolve(stages.mimeOf(new Uint8Array(), name)),
  };
  try {
    if ((await spotCheck(positionOf(1 / 2, size), options)).kind !== 'there') return error;
    return (await spotCheck(0, options)).kind === 'lost' ? incompleteError(source.label, cause) : error;
  } catch {
    signal.throwIfAborted();
    return error;
  } finally {
    time.done();
  }
}

/** Looks where it is cheap. Gives why a place is lost; undefined: none is. */
async function spotCheckBefore(
  source: ByteSource,
  {
    size,
    mime,
    policies,
    log,
  }: Pick<ProxyContext, 'policies' | 'log'> & Pick<SpotCheckOptions, 'size' | 'mime'>,
  signal: AbortSignal,
): Promise<SourceFailure | undefined> {
  const looks = spotChecksFor(source.serving);
  if (looks?.beforeStart !== true) return undefined;
  const options = { source, size, mime, policy: policies.prepare, signal };
  const findings = await Promise.all(
    looks.positions.map((part) => spotCheck(positionOf(part, size), options)),
  );
  for (const finding of findings)
    if (finding.kind === 'unknown')
      log.warning(`prepare: whether all of the file can be read is not known: ${finding.failure.message}`);
  const [lost] = findings.flatMap((finding) => (finding.kind === 'lost' ? [finding.failure] : []));
  return lost;
}

const incompleteError = (who: string, cause: SourceFailure) =>
  new SlipstreamError(
    'DAMAGED',
    { what: `${who} lacks parts of the video.`, next: 'Try another release.' },
    { cause, detail: cause.message },
  );
