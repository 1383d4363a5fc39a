import { type SessionRecord, serializeRecord } from './record.ts';

/** A session that has ended, as it is kept to be opened again. */
export interface EndedSession {
  /** Without its plan, which served one play, and without what opens a share. */
  readonly record: SessionRecord;
  /** Its server wants credentials, which are asked for again (ProxyOptions.credentials). */
  readonly wantsCredentials: boolean;
  /** performance.now() when its server was last known to give no answer; absent: it did, or that was before this engine. */
  readonly refusedAt?: number;
}

/** Kodi keeps the resolved address in the row of a list, and opens it again without a call (kodi.md §3.3). */
export const MAX_ENDED = 200;
/** Of all of them together, as JSON in the snapshot. */
export const MAX_ENDED_BYTES = 256 * 1024;

/** The sessions that ended last, in memory only: the oldest go first. */
export class EndedSessions {
  readonly #kept = new Map<string, { readonly session: EndedSession; readonly bytes: number }>();
  #bytes = 0;

  keep(session: EndedSession): void {
    const { id } = session.record;
    this.forget(id);
    const bytes = Buffer.byteLength(JSON.stringify(serializeEnded(session)));
    // All others would go for its sake, and then it.
    if (bytes > MAX_ENDED_BYTES) return;
    this.#kept.set(id, { session, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_ENDED && this.#bytes <= MAX_ENDED_BYTES) break;
      this.forget(oldest);
    }
  }

  get(id: string): EndedSession | undefined {
    return this.#kept.get(id)?.session;
  }

  /** Its server gives no answer just now; an unknown one is fine. */
  noteRefused(id: string): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#kept.set(id, { ...kept, session: { ...kept.session, refusedAt: performance.now() } });
  }

  /** An unknown one is fine. */
  forget(id: string): void {
    this.#bytes -= this.#kept.get(id)?.bytes ?? 0;
    this.#kept.delete(id);
  }

  /** The one that ended last stands last. */
  list(): EndedSession[] {
    return [...this.#kept.values()].map(({ session }) => session);
  }
}

/**
 * What is kept of a session. An address that a service gave is of use only as it is; a share is opened by what the
 * settings say then.
 */
export function endedSessionOf({ plan: _, ...record }: SessionRecord): EndedSession {
  const [spec] = record.sources;
  if (spec.played !== undefined) return { record, wantsCredentials: false };
  return {
    record: withHeaders(record, {}),
    wantsCredentials: Object.keys(spec.headers).length > 0,
  };
}

/** The record, with these headers for its file and for what lies beside it at the same server. */
export function withHeaders(record: SessionRecord, headers: Readonly<Record<string, string>>): SessionRecord {
  const { subtitles } = record;
  const [{ url }] = record.sources;
  const { origin } = new URL(url);
  const given = <Spec extends { readonly url: string }>(spec: Spec) => ({
    ...spec,
    headers: new URL(spec.url).origin === origin ? headers : {},
  });
  const [first, ...more] = record.sources;
  return {
    ...record,
    sources: [given(first), ...more.map(given)],
    ...(subtitles !== undefined && {
      subtitles: subtitles.map((file) => ({ ...file, source: given(file.source) })),
    }),
  };
}

/** As it stands in a snapshot. */
export const serializeEnded = ({ record, wantsCredentials }: EndedSession): object => ({
  record: serializeRecord(record),
  wantsCredentials,
});
