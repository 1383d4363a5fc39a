import { deadlineSignal, pause } from '../../io/wait.ts';
import type { Fill, NoFill, PlanFill } from '../../media/fill.ts';
import { fillBytes } from '../../media/fill-bytes.ts';
import type { RangedReader } from '../../media/ranged-reader.ts';
import { SourceFailure } from '../policy/failure.ts';
import { type FillPolicy, holeAllowed } from '../policy/fills.ts';
import type { RetryPolicy } from '../policy/policy.ts';
import { readBytes } from '../source/read-bytes.ts';
import type { Source } from '../source/source.ts';
import { findHoleEnd, type Probe } from './hole-end.ts';

/** Who hears of what becomes of a hole; a session keeps the count. */
export interface HoleJournal {
  filled(fill: Fill): void;
  /** The bytes are missing, and may not be filled. */
  lost(position: number, why: string): void;
  /** Nothing proves that the bytes are missing for good. */
  late(position: number): void;
}

export interface HolesOptions {
  readonly source: Source;
  readonly size: number;
  readonly mime: string;
  readonly policy: FillPolicy;
  readonly read: RetryPolicy;
  readonly planFill: PlanFill;
  readonly journal: HoleJournal;
  /** Those of the engine before this one. */
  readonly fills: readonly Fill[];
  readonly file: RangedReader;
  /** Called when there is a verdict on a place that was looked into. */
  readonly onChange: () => void;
}

/** Attempts to learn whether a byte is there, and the milliseconds between them. */
const PROBES = 3;
const PROBE_PAUSE = 250;

/**
 * The holes of one file: finds out how far one reaches, and keeps what stands in its place, so that each read of it
 * gives the same bytes. Only what the source itself calls missing, with readable bytes behind it, is a hole: a backend
 * that is still downloading has none behind.
 */
export class Holes {
  readonly #options: HolesOptions;
  readonly #closing = new AbortController();
  /** In order, without overlap. */
  #fills: readonly Fill[];
  readonly #looking = new Set<number>();
  /** Places that cannot be filled, until performance.now() has come there. */
  readonly #refused = new Map<number, { readonly failure: SourceFailure; readonly until: number }>();

  constructor(options: HolesOptions) {
    this.#options = options;
    this.#fills = inOrder(options.fills);
  }

  get fills(): readonly Fill[] {
    return this.#fills;
  }

  has(position: number): boolean {
    return this.#at(position) !== undefined;
  }

  /** The fill's bytes at a position, up to `most`; undefined where the source's own are to be read. */
  bytesAt(position: number, most: number): Uint8Array | undefined {
    const fill = this.#at(position);
    if (fill === undefined) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(most, fill.last - position + 1));
    fillBytes(fill, position, bytes);
    return bytes;
  }

  /** The first position from `position` on that is in no fill. */
  endAfter(position: number): number {
    const fill = this.#at(position);
    return fill === undefined ? position : this.endAfter(fill.last + 1);
  }

  /** The start of the next fill after a position; Infinity when there is none. */
  startAfter(position: number): number {
    return this.#fills.find(({ first }) => first > position)?.first ?? Infinity;
  }

  /** What is known of a place: it is being looked into, or it cannot be had. */
  verdict(position: number): 'looking' | SourceFailure | undefined {
    if (this.#looking.has(position)) return 'looking';
    const refused = this.#refused.get(position);
    if (refused === undefined) return undefined;
    if (performance.now() < refused.until) return refused.failure;
    this.#refused.delete(position);
    return undefined;
  }

  /** Begins to look into a place where reading has failed; false when that is no hole, or not worth it. */
  look(position: number, failure: SourceFailure): boolean {
    const allowed = this.#allowed;
    if (failure.kind !== 'missing' || position === 0 || allowed === 0) return false;
    const isKnown = this.has(position) || this.verdict(position) !== undefined;
    if (isKnown || this.#isBeside(position)) return true;
    this.#looking.add(position);
    this.#fill(position, Math.min(position + allowed, this.startAfter(position), this.#options.size)).then(
      (fill) => {
        this.#settle(position, fill, failure);
      },
      (error: unknown) => {
        const refused = error instanceof Error ? error.message : String(error);
        this.#settle(position, { refused }, failure);
      },
    );
    return true;
  }

  close(): void {
    this.#closing.abort(CLOSED);
  }

  get #allowed(): number {
    const { policy, size } = this.#options;
    const bytes = this.#fills.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return holeAllowed(policy, { bytes, count: this.#fills.length }, size);
  }

  /** Whether the hole that is being looked into may reach here: what comes of it decides. */
  #isBeside(position: number): boolean {
    return [...this.#looking].some((other) => Math.abs(other - position) < this.#options.policy.hole);
  }

  #at(position: number): Fill | undefined {
    return this.#fills.find(({ first, last }) => position >= first && position <= last);
  }

  /** What becomes of the hole that begins at a position; undefined when it is not proven to be one. */
  async #fill(first: number, limit: number): Promise<Fill | NoFill | undefined> {
    const { policy, planFill, mime, file } = this.#options;
    const time = deadlineSignal(this.#closing.signal, policy.patience, () => new Error('it took too long'));
    const probe = (position: number) => this.#isThere(position, time.signal);
    try {
      const { steps, looksAtOnce: atOnce } = policy;
      const found = await findHoleEnd({ first, limit, steps, atOnce, probe });
      const last = found ?? (await this.#endAtFill(limit, probe));
      // It may have come meanwhile, and what is behind it with it.
      if (last === undefined || (await probe(first))) return undefined;
      return await planFill(mime, { first, last }, file, time.signal);
    } finally {
      time.done();
    }
  }

  /** The end of a hole of which a later part was filled already, as by a seek into its middle. */
  async #endAtFill(limit: number, probe: Probe): Promise<number | undefined> {
    return this.has(limit) && !(await probe(limit - 1)) ? limit - 1 : undefined;
  }

  #settle(position: number, fill: Fill | NoFill | undefined, failure: SourceFailure): void {
    if (this.#closing.signal.aborted) return;
    this.#looking.delete(position);
    if (fill === undefined) this.#options.journal.late(position);
    else if ('refused' in fill) {
      this.#options.journal.lost(position, fill.refused);
      this.#refused.set(position, { failure, until: performance.now() + this.#options.policy.rest });
    } else {
      this.#fills = inOrder([...this.#fills, fill]);
      this.#options.journal.filled(fill);
    }
    this.#options.onChange();
  }

  /** Asks the source for one byte. Only its own "missing" says that it is lost. */
  async #isThere(position: number, signal: AbortSignal): Promise<boolean> {
    const { source, size, policy, read } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        const wish = { first: position, last: position, size, timeout: policy.look, signal };
        await readBytes(await source.open(wish), 1, { stall: read.stall, signal });
        return true;
      } catch (error) {
        if (!(error instanceof SourceFailure)) throw error;
        if (error.kind === 'missing') return false;
        if (attempt === PROBES) throw error;
      }
      await pause(PROBE_PAUSE, signal);
    }
  }
}

const CLOSED = new Error('the session has ended');

const inOrder = (fills: readonly Fill[]): readonly Fill[] => [...fills].sort((a, b) => a.first - b.first);
