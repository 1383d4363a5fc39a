import { SlipstreamError } from '../../errors/index.ts';
import { EndedSessions, endedSessionOf } from './ended-sessions.ts';
import type { Session } from './session.ts';

/** Kodi plays one film at a time; the rest is room for what was not ended properly. */
export const MAX_SESSIONS = 16;

/** How long a session is kept that nobody uses: data, in milliseconds. */
export interface SessionTimes {
  /** Until its memory is given back. */
  readonly releaseMemoryAfter: number;
  /** Until it ends, when no player has ever asked for it. */
  readonly endUnopenedAfter: number;
  /** Until it ends: a player that was paused in the evening may go on in the morning. */
  readonly endUnusedAfter: number;
}

export const SESSION_TIMES: SessionTimes = {
  releaseMemoryAfter: 60_000,
  endUnopenedAfter: 15 * 60_000,
  endUnusedAfter: 12 * 60 * 60_000,
};

/** All sessions of one proxy, the longest unused first, and what is kept of those that have ended. */
export class Sessions {
  readonly ended = new EndedSessions();
  readonly #table = new Map<string, Session>();
  /** Those of the engine before: whether a player had opened them there, nobody knows. */
  readonly #restored = new WeakSet<Session>();
  readonly #onChange: () => void;

  /** @param onChange Called after a session has come or gone. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** @throws SlipstreamError BUSY when all places are taken by streams under way; the session has then been ended. */
  add(session: Session): void {
    if (this.#table.size >= MAX_SESSIONS && !this.#evictIdle()) {
      session.end();
      throw tooManyStreamsError();
    }
    const { id } = session.record;
    this.#table.set(id, session);
    this.ended.forget(id);
    this.#onChange();
  }

  /** Adds one of the engine before this one. */
  restore(session: Session): void {
    this.#restored.add(session);
    this.add(session);
  }

  /** The session, which thereby counts as used just now. */
  use(id: string): Session | undefined {
    const session = this.#table.get(id);
    if (session === undefined) return undefined;
    session.touch();
    this.#table.delete(id);
    this.#table.set(id, session);
    return session;
  }

  /** Breaks off a session's requests, and keeps what opens it again; an unknown one is fine. */
  end(id: string): void {
    const session = this.#table.get(id);
    if (session === undefined) return;
    this.#remove(session);
    this.#onChange();
  }

  /** Ends a session that is not to be played after all; an unknown one is fine. */
  drop(id: string): void {
    this.#table.get(id)?.end();
    if (this.#table.delete(id)) this.#onChange();
  }

  list(): Session[] {
    return [...this.#table.values()];
  }

  /** Frees what has been unused for too long. To be called now and then. */
  sweep({
    releaseMemoryAfter: memory,
    endUnopenedAfter: unopened,
    endUnusedAfter: unused,
  }: SessionTimes): void {
    for (const session of this.list()) {
      const { record, unusedFor, counters } = session;
      const isOpened = counters.requests > 0 || this.#restored.has(session);
      if (unusedFor >= (isOpened ? unused : unopened)) this.end(record.id);
      else if (unusedFor >= memory) session.releaseMemory();
    }
  }

  /**
   * A film is about to be opened: until the returned function is called, the others are read ahead for some seconds
   * only, so that the line is free for the new one.
   */
  throttleOthers(): () => void {
    const restrained = this.list();
    for (const { fetcher } of restrained) fetcher.throttle(true);
    return () => {
      for (const { fetcher } of restrained) fetcher.throttle(false);
    };
  }

  /** False: all are under way. */
  #evictIdle(): boolean {
    const idle = this.list().find((session) => session.counters.active === 0);
    if (idle !== undefined) this.#remove(idle);
    return idle !== undefined;
  }

  #remove(session: Session): void {
    const { record } = session;
    session.end();
    this.#table.delete(record.id);
    this.ended.keep(endedSessionOf(record));
    if (session.isServerAway) this.ended.noteRefused(record.id);
  }
}

const tooManyStreamsError = () =>
  new SlipstreamError('BUSY', {
    what: `Already ${MAX_SESSIONS} streams are being played.`,
    next: 'Stop one of them.',
  });
