import { SlipstreamError } from '../../errors/index.ts';
import { newSessionId, type SessionRecord } from '../session/record.ts';
import type { Session } from '../session/session.ts';
import type { ByteSource } from '../source/source.ts';
import type { SourceSpec } from '../source/source-spec.ts';
import type { VerifiedStart } from '../source/verify.ts';
import type { ProxyContext } from '../stages.ts';
import { assertVideo } from './assert-video.ts';
import { streamFileName } from './file-name.ts';
import { openAddress } from './open-address.ts';
import { openVerified, unseekableIn } from './open-verified.ts';
import type { PrepareRequest } from './prepare-request.ts';
import { subtitlesOf } from './subtitle-list.ts';

/** A session, and the video's own name where an address that plays has told it. */
export interface OpenedSession {
  readonly session: Session;
  readonly declaredName?: string;
}

/** A file whose name an address that plays has told, and which cannot be played. */
export class UnplayableFile extends Error {
  readonly declaredName: string;
  readonly failure: SlipstreamError;

  constructor(told: string, failure: SlipstreamError) {
    super(failure.message, { cause: failure });
    this.declaredName = told;
    this.failure = failure;
  }
}

/**
 * A session for a source that has proven that it can be played: its first bytes have come, and the places that are cheap
 * to look at are there.
 *
 * @throws SlipstreamError DAMAGED when it lacks parts or is no video, as UnplayableFile where its name is known; as verifySource
 *   and openPlayAddress; Unseekable; the signal's reason when it aborts
 */
export async function openSession(
  context: ProxyContext,
  wanted: PrepareRequest,
  signal: AbortSignal,
): Promise<OpenedSession> {
  const { sessions } = context;
  const arrived = sessions.throttleOthers();
  let told: string | undefined;
  try {
    const found = await openAddress(context, wanted, signal);
    told = found.name;
    const named = { ...wanted, name: found.name ?? wanted.name, size: found.size };
    const { source, proof } = await openVerified(context, found, named.name, signal).catch(
      (error: unknown) => {
        throw unseekableIn(error, found) ?? error;
      },
    );
    try {
      const session = sessionOf(context, { spec: found.spec, source }, named, proof);
      session.start(proof, arrived);
      return { session, ...(told !== undefined && { declaredName: told }) };
    } catch (error) {
      proof.remainder?.body.close();
      throw error;
    }
  } catch (error) {
    arrived();
    const isDamaged = error instanceof SlipstreamError && error.code === 'DAMAGED';
    throw isDamaged && told !== undefined ? new UnplayableFile(told, error) : error;
  }
}

function sessionOf(
  { stages, createSession, log }: ProxyContext,
  { spec, source }: { readonly spec: SourceSpec; readonly source: ByteSource },
  wanted: PrepareRequest,
  { size, head }: VerifiedStart,
): Session {
  assertVideo(head, source.label);
  if (wanted.size !== undefined && wanted.size !== size)
    log.warning(`prepare: the file has ${size} bytes, ${wanted.size} were expected`);
  const mime = stages.mimeOf(head, wanted.name);
  const record: SessionRecord = {
    id: newSessionId(),
    sources: [spec],
    validators: source.validators ?? {},
    name: streamFileName(wanted.name, mime),
    size,
    mime,
    fills: [],
    subtitles: subtitlesOf(spec, wanted.subtitles, log),
    ...(wanted.listed !== undefined && { listed: wanted.listed }),
    ...(wanted.plan !== undefined && { plan: wanted.plan }),
  };
  log.info(`prepared ${record.name} (${size} bytes, ${mime}) from ${source.host}`);
  return createSession(record, [source]);
}
