import { randomBytes } from 'node:crypto';
import { CancelledError, SlipstreamError } from '../../errors/index.ts';
import { redact } from '../../log/index.ts';
import type { SourceFailure } from '../policy/failure.ts';
import type { Verdict } from '../policy/policy.ts';
import type { Journal } from '../reader/reader.ts';
import type { Source, SourceSpec } from '../source/source.ts';

/** What must survive for a session to go on in another engine. */
export interface SessionRecord {
  readonly id: string;
  readonly source: SourceSpec;
  /** As it stands at the end of the stream's path. */
  readonly name: string;
  readonly size: number;
  readonly mime: string;
}

export interface Counters {
  /** Bytes from upstream, and bytes given to the player. */
  bytesIn: number;
  bytesOut: number;
  /** Requests of the player, of those under way now. */
  requests: number;
  active: number;
  /** Reads of the upstream that were begun, and those after a failure. */
  opens: number;
  retries: number;
}

/** Something that was decided about a session, and why. */
export interface Decision {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly what: string;
}

/** What a session tells about itself; holds no secret but its id, which opens the stream. */
export interface SessionReport {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  /** Host and port of the upstream. */
  readonly from: string;
  /** Its `active` tells whether the player is reading now. */
  readonly counters: Readonly<Counters>;
  /** Milliseconds since the player last asked for it or read from it; 0 while it reads. */
  readonly unusedFor: number;
  /** The last ones, oldest first. */
  readonly decisions: readonly Decision[];
}

const MAX_DECISIONS = 20;
const MAX_DECISION_TEXT = 300;
/** 128 random bits: nobody guesses one. */
export const ID = /^[0-9a-f]{32}$/;
export const newId = (): string => randomBytes(16).toString('hex');

/** One file that is being played. */
export class Session implements Journal {
  readonly record: SessionRecord;
  readonly source: Source;
  readonly counters: Counters = { bytesIn: 0, bytesOut: 0, requests: 0, active: 0, opens: 0, retries: 0 };
  readonly #decisions: Decision[] = [];
  readonly #requests = new Set<AbortController>();
  #lastUse = performance.now();

  constructor(record: SessionRecord, source: Source) {
    this.record = record;
    this.source = source;
  }

  /** Ties a request of the player to the session; call the result when it has ended. */
  begin(request: AbortController): () => void {
    this.#requests.add(request);
    this.counters.requests++;
    this.counters.active++;
    return () => {
      if (this.#requests.delete(request)) this.counters.active--;
      this.used();
    };
  }

  /** The player has shown that it still wants the file. */
  used(): void {
    this.#lastUse = performance.now();
  }

  /** Breaks off every request. */
  end(): void {
    for (const request of this.#requests) request.abort(new CancelledError('shutdown'));
  }

  opened(): void {
    this.counters.opens++;
  }

  received(bytes: number): void {
    this.counters.bytesIn += bytes;
  }

  sent(bytes: number): void {
    this.counters.bytesOut += bytes;
  }

  decided(position: number, failure: SourceFailure, verdict: Verdict): void {
    if (verdict.kind === 'retry') this.counters.retries++;
    this.note(`${verdict.kind} at byte ${position}: ${verdict.reason} (${failure.message})`);
  }

  note(what: string): void {
    this.#decisions.push({ at: Date.now(), what: redact(what).slice(0, MAX_DECISION_TEXT) });
    if (this.#decisions.length > MAX_DECISIONS) this.#decisions.shift();
  }

  report(): SessionReport {
    const { id, name, size, mime } = this.record;
    return {
      id,
      name,
      size,
      mime,
      from: this.source.where,
      counters: { ...this.counters },
      unusedFor: this.counters.active > 0 ? 0 : Math.round(performance.now() - this.#lastUse),
      decisions: [...this.#decisions],
    };
  }
}

/** Kodi plays one film at a time; the rest is room for what was not ended properly. */
export const MAX_SESSIONS = 16;

/** All sessions of one proxy, the longest unused first. */
export class Sessions {
  readonly #table = new Map<string, Session>();
  readonly #onChange: () => void;

  /** @param onChange Called after a session has come or gone. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** @throws SlipstreamError BUSY when all places are taken by streams under way. */
  add(session: Session): void {
    if (this.#table.size >= MAX_SESSIONS) this.#makeRoom();
    this.#table.set(session.record.id, session);
    this.#onChange();
  }

  /** The session, which thereby counts as used just now. */
  use(id: string): Session | undefined {
    const session = this.#table.get(id);
    if (session === undefined) return undefined;
    session.used();
    this.#table.delete(id);
    this.#table.set(id, session);
    return session;
  }

  /** Forgets a session and breaks off its requests; an unknown one is fine. */
  end(id: string): void {
    this.#table.get(id)?.end();
    if (this.#table.delete(id)) this.#onChange();
  }

  list(): Session[] {
    return [...this.#table.values()];
  }

  #makeRoom(): void {
    const idle = this.list().find((session) => session.counters.active === 0);
    if (idle === undefined) {
      throw new SlipstreamError('BUSY', {
        what: `Already ${MAX_SESSIONS} streams are being played.`,
        next: 'Stop one of them.',
      });
    }
    this.#table.delete(idle.record.id);
  }
}
