import { cuesPosition } from '../../media/matroska/cues-position.ts';
import type { BufferPolicy } from '../policy/buffer.ts';
import type { Policies } from '../policy/policies.ts';
import { EXTRA_POSITIONS, spotChecksFor } from '../policy/spot-checks.ts';
import type { ByteRange } from '../range.ts';
import type { Fetcher } from '../reader/fetcher.ts';
import { prefetch } from '../reader/prefetch.ts';
import type { readRange } from '../reader/read-range.ts';
import type { ByteSource } from '../source/source.ts';
import { positionOf, type SpotCheckResult, spotCheck } from '../source/spot-check.ts';
import type { SessionJournal } from './journal.ts';

export interface BackgroundCheckTask {
  readonly source: ByteSource;
  readonly size: number;
  readonly mime: string;
  /** The start of the file, as far as it is known. */
  readonly head: Uint8Array;
  /** The engine before has looked into it. */
  readonly isChecked: boolean;
  readonly fetcher: Fetcher;
  readonly journal: SessionJournal;
  readonly policies: Policies;
  readonly read: typeof readRange;
  readonly signal: AbortSignal;
  /** The film has been looked into. @param brokenFrom So much is lost that it cannot be played on from this byte. */
  readonly onChecked: (brokenFrom: number | undefined) => void;
}

/** As much again may stand in the system's buffers on its way to the player. */
const SOCKET_BUFFER_FACTOR = 2;

/** What the looks into a film have found. */
interface CheckResult {
  /** From where on it is lost; undefined: it is not, as far as is known. */
  readonly brokenFrom: number | undefined;
  /** Whether each look was answered: another engine looks again otherwise. */
  readonly isKnown: boolean;
}

/**
 * What is read of a film once it has begun: before, it would take the line from the start. The places that are dear to
 * look at come when the player has something to play or the buffer is full, the index of the file's end when the buffer
 * is full, for Kodi reads it at the first seek.
 */
export class BackgroundChecks {
  readonly #task: BackgroundCheckTask;
  #isChecked: boolean;
  #hasIndex: boolean;

  constructor(task: BackgroundCheckTask) {
    this.#task = task;
    this.#isChecked = task.isChecked || spotChecksFor(task.source.serving)?.beforeStart !== false;
    this.#hasIndex = task.policies.buffer.minIndexBytes === 0 || !MATROSKA.has(task.mime);
  }

  /** The player has come further, or more is in memory. */
  progressed(): void {
    const { fetcher, journal, policies } = this.#task;
    if (this.#isChecked && this.#hasIndex) return;
    const isPlayed = this.#task.source.relocate !== undefined;
    const settled = policies.buffer.settledAfterBytes * (isPlayed ? SOCKET_BUFFER_FACTOR : 1);
    const isSettled = journal.counters.bytesOut >= settled;
    // At a service that streams, a further request may be as dear as the first: the film comes before everything.
    const isFull = fetcher.isBufferFull && (isSettled || !isPlayed);
    if (!this.#isChecked && (isFull || isSettled)) {
      this.#isChecked = true;
      this.#run('looking into the film', async () => {
        const { brokenFrom, isKnown } = await this.#check();
        if (isKnown) this.#task.onChecked(brokenFrom);
      });
    } else if (!this.#hasIndex && isFull) {
      this.#hasIndex = true;
      this.#run('reading the index', () => this.#fetchIndex());
    }
  }

  /** What fails of it harms nobody. */
  #run(what: string, work: () => Promise<void>): void {
    const { journal, signal } = this.#task;
    work().catch((error: unknown) => {
      if (!signal.aborted) journal.note(`${what} failed: ${error instanceof Error ? error.message : ''}`);
    });
  }

  async #check(): Promise<CheckResult> {
    let isKnown = true;
    const isLost = async (place: number) => {
      const kind = await this.#kindOf(place);
      if (kind === 'unknown') isKnown = false;
      return kind === 'lost';
    };
    for (const part of spotChecksFor(this.#task.source.serving)?.positions ?? []) {
      const place = positionOf(part, this.#task.size);
      if (!(await isLost(place))) continue;
      const [near = place, far = place] = EXTRA_POSITIONS.map((other) => positionOf(other, this.#task.size));
      if ((await isLost(near)) && (await isLost(far))) return { brokenFrom: place, isKnown: true };
    }
    return { brokenFrom: undefined, isKnown };
  }

  /**
   * Looks at a place. What is lost there is a hole like any other, whose ends are found when the reading ahead comes
   * there: from within, that would take some 25 looks, and here they are dear.
   */
  async #kindOf(place: number): Promise<SpotCheckResult['kind']> {
    const { journal, policies, source, size, mime, signal } = this.#task;
    const finding = await spotCheck(place, {
      source,
      size,
      signal,
      mime: () => Promise.resolve(mime),
      policy: policies.read,
    });
    if (finding.kind !== 'there')
      journal.note(`looked at byte ${place}: ${finding.kind} (${finding.failure.message})`);
    return finding.kind;
  }

  async #fetchIndex(): Promise<void> {
    const { fetcher, head, journal, policies, read, signal, size } = this.#task;
    await prefetch({
      read,
      fetcher,
      journal,
      signal,
      policy: policies.read,
      range: indexRange(head, size, policies.buffer),
    });
  }
}

/**
 * What of a file's end is fetched as its index: from where its head puts the Cues, and no less than Kodi reads. Bytes at
 * the file's very start are the film itself.
 */
export function indexRange(
  head: Uint8Array,
  size: number,
  { indexBytes: index, minIndexBytes: indexLeast }: BufferPolicy,
): ByteRange {
  const told = Math.min(cuesPosition(head) ?? size, size - indexLeast);
  return { first: Math.max(head.byteLength, size - index, told), last: size - 1 };
}

const MATROSKA: ReadonlySet<string> = new Set(['video/x-matroska', 'video/webm']);
