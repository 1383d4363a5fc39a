import { CancelledError } from '../../errors/index.ts';
import type { PlanFill } from '../../media/fill-types.ts';
import type { Relist } from '../../play-address/open-or-relist.ts';
import { type ExplainedFailure, explainFailure, isUnanswered, SourceFailure } from '../policy/failure.ts';
import type { decideRetry as decideStage, Policies } from '../policy/policies.ts';
import type { BlockPool } from '../reader/block-pool.ts';
import { Fetcher } from '../reader/fetcher.ts';
import type { readRange } from '../reader/read-range.ts';
import { type FileSample, MAX_SAMPLE, RelocatingSource, sampleOf } from '../source/relocating-source.ts';
import type { ByteSource } from '../source/source.ts';
import type { SourceSpec } from '../source/source-spec.ts';
import type { Validators } from '../source/validators.ts';
import type { VerifiedStart } from '../source/verify.ts';
import { BackgroundChecks } from './background-checks.ts';
import { type Counters, type Decision, type Latency, SessionJournal } from './journal.ts';
import { PlayerRequests } from './player-requests.ts';
import type { SessionRecord } from './record.ts';
import { SubtitleCache } from './subtitles.ts';
import type { Trouble } from './trouble.ts';

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
  /** Bytes in memory, those of them that come next for the player, and connections to the upstream now. */
  readonly buffer: { readonly used: number; readonly ahead: number; readonly connections: number };
  /** Absent before the first request. */
  readonly latency?: Latency;
  /** The bytes that are not the source's own; both ends inclusive. */
  readonly fills: readonly { readonly first: number; readonly last: number; readonly how: string }[];
  /** The bytes that are lost for good and could not be filled, both ends inclusive; absent: none. */
  readonly lost?: readonly { readonly first: number; readonly last: number; readonly why: string }[];
  /** What is wrong with the server now; absent: nothing. */
  readonly trouble?: SessionTrouble;
  /** Why the last request that could not be served to its end was not, and when. */
  readonly failure?: SessionFailure;
  /** The byte from which on so much is lost that another release should be played; absent: none. */
  readonly brokenFrom?: number;
  /** Bits per second that the upstream kept up where nothing else was the limit; absent while nobody knows. */
  readonly sustained?: number;
  /** Milliseconds since the player last asked for it or read from it; 0 while it reads. */
  readonly unusedFor: number;
  /** The last ones, oldest first. */
  readonly decisions: readonly Decision[];
}

export interface SessionTrouble extends Pick<Trouble, 'kind' | 'since'> {
  /** What its reads failed of last; absent where they were answered. */
  readonly why?: ExplainedFailure;
}

export interface SessionFailure extends ExplainedFailure {
  /** Bytes of the file are proven to be lost: places behind them could be read. An outage never is that. */
  readonly damaged: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface SessionDependencies {
  /** As many as the record names, in its order. */
  readonly sources: readonly [ByteSource, ...ByteSource[]];
  readonly pool: BlockPool;
  readonly policies: Policies;
  readonly decide: typeof decideStage;
  readonly planFill: PlanFill;
  readonly read: typeof readRange;
  /** Opens another address of the same file. */
  readonly open: (spec: SourceSpec, known?: Validators) => ByteSource;
  /** Asks the list that the file's address came from; absent: there is none. */
  readonly relist?: Relist;
  /** Called when the record has changed. */
  readonly onChange: () => void;
  /** Called with each decision. */
  readonly onDecision?: (what: string) => void;
}

/** Milliseconds: whoever is asked once has answered by then, or counts as away. */
const SERVER_CHECK_TIMEOUT = 3_000;

/** One file that is being played. */
export class Session {
  readonly journal: SessionJournal;
  readonly fetcher: Fetcher;
  readonly source: ByteSource;
  readonly fetchedSubtitles = new SubtitleCache();
  #record: SessionRecord;
  /** Those of when it was begun. */
  readonly policies: Policies;
  readonly #ending = new AbortController();
  readonly #requests = new PlayerRequests();
  #lastUse = performance.now();
  #failure: SessionFailure | undefined;
  /** Whether its server did not answer when it was asked once. */
  #isServerAway = false;
  #backgroundChecks: BackgroundChecks | undefined;
  readonly #read: typeof readRange;
  readonly #onChange: () => void;
  #onFirstFrame: () => void = () => undefined;

  constructor(record: SessionRecord, tools: SessionDependencies) {
    const { sources, pool, policies, decide, planFill, onChange } = tools;
    const { size, mime, fills, lost = [] } = record;
    this.#record = record;
    this.policies = policies;
    this.#read = tools.read;
    this.#onChange = onChange;
    this.journal = new SessionJournal(tools.onDecision, policies.read.refusedTimeout);
    const [spec] = record.sources;
    this.source = new RelocatingSource({
      spec,
      size,
      source: sources[0],
      open: tools.open,
      relist: tools.relist,
      sample: () => this.#latestSample(),
      onRelocated: (moved) => {
        const { validators = {} } = this.source;
        this.#record = { ...this.#record, sources: [moved], validators };
        onChange();
      },
      onNote: (what) => {
        this.journal.note(what);
      },
      signal: this.#ending.signal,
    });
    const { source, journal } = this;
    this.fetcher = new Fetcher({
      source,
      size,
      mime,
      fills,
      lost,
      pool,
      policies,
      decide,
      planFill,
      journal,
      onFill: onChange,
      onProgress: () => this.#backgroundChecks?.progressed(),
    });
  }

  get record(): SessionRecord {
    const { fills, lost } = this.fetcher.holes;
    return { ...this.#record, fills, lost };
  }

  get counters(): Readonly<Counters> {
    return this.journal.counters;
  }

  /** Milliseconds since the player last asked for it or read from it; 0 while it reads. */
  get unusedFor(): number {
    return this.counters.active > 0 ? 0 : Math.round(performance.now() - this.#lastUse);
  }

  /**
   * Ties a request of the player to the session; call the result when it has ended.
   * @param first The byte of the film that it begins with; undefined: it is for another file, a subtitle's
   */
  beginRequest(request: AbortController, first: number | undefined): () => void {
    const { counters } = this.journal;
    this.#requests.begin(request, first);
    counters.requests++;
    counters.active++;
    return () => {
      if (this.#requests.end(request)) counters.active--;
      this.touch();
    };
  }

  /** The next bytes of a request have come. */
  bytesReady(request: AbortController): void {
    this.#requests.bytesReady(request);
  }

  /** So many of them were handed over to the player. */
  sent(request: AbortController, bytes: number): void {
    this.#requests.sent(request, bytes);
    this.journal.sent(bytes);
  }

  /** Whether the player waits for bytes that have not come for a while. */
  get hasStalledRequests(): boolean {
    return this.#requests.stalled.length > 0;
  }

  /** The player was stopped while it waits for bytes that do not come. */
  abortStalledRequests(): void {
    this.#requests.abortStalled();
  }

  /** The player begins to play it, maybe once more. */
  playbackStarted(): void {
    this.#requests.forgetAborted();
  }

  /** The player has shown that it still wants the file. */
  touch(): void {
    this.#lastUse = performance.now();
  }

  /** A request of the player could not be served to its end. */
  requestFailed(failure: SourceFailure): void {
    // The read that was to serve it is given up with it, and fails no more by itself.
    if (failure.kind === 'stalled') this.journal.failed(failure);
    this.#failure = { ...this.#explain(failure), damaged: this.#isDamage(failure), at: Date.now() };
  }

  /**
   * Why its server does not answer, asked once; undefined: it does, or what it says is no reason to leave it alone.
   * Rejects only when the session ends.
   */
  async checkServer(): Promise<ExplainedFailure | undefined> {
    const signal = this.#ending.signal;
    try {
      const wish = { first: 0, last: 0, size: this.#record.size, timeout: SERVER_CHECK_TIMEOUT, signal };
      const { body } = await this.source.open(wish);
      body.close();
      this.#isServerAway = false;
      return undefined;
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      this.#isServerAway = isUnanswered(error.kind);
      return this.#isServerAway ? this.#explain(error) : undefined;
    }
  }

  /** Whether its server, as far as is known, gives no answer. */
  get isServerAway(): boolean {
    return this.#isServerAway || this.journal.isServerAway;
  }

  #explain(failure: SourceFailure): ExplainedFailure {
    const { code, explanation } = explainFailure(failure, this.source.label);
    return { code, ...explanation };
  }

  /** A hole counts only where bytes behind it came (Holes): with nothing behind it, it may be the server's trouble. */
  #isDamage({ kind }: SourceFailure): boolean {
    return kind === 'withdrawn' || (kind === 'missing' && this.counters.lost + this.counters.filled > 0);
  }

  /**
   * A player is about to ask for the file: the answer that has proven it goes on.
   * @param onShown Called once the film's first picture is there, or never will be.
   */
  start({ head, remainder: rest }: Pick<VerifiedStart, 'head' | 'remainder'>, onShown: () => void): void {
    this.#onFirstFrame = onShown;
    this.#record = { ...this.#record, start: sampleOf(0, head.subarray(0, MAX_SAMPLE)) };
    this.#prepareBackgroundChecks(head);
    const { fetcher } = this;
    fetcher.cache.put(0, head);
    fetcher.startPrefetch(rest);
  }

  /** It goes on where the engine before has left it: its player has the start of the film. */
  resume(): void {
    this.#prepareBackgroundChecks(new Uint8Array());
  }

  /** Of what the player was given last, or of the file's start. */
  #latestSample(): FileSample | undefined {
    const lately = this.fetcher.recentBytes(MAX_SAMPLE);
    if (lately !== undefined) return sampleOf(lately.first, lately.bytes);
    return this.#record.sample ?? this.#record.start;
  }

  #prepareBackgroundChecks(head: Uint8Array): void {
    const { source, fetcher, journal, policies } = this;
    const { size, mime, looked = false } = this.#record;
    this.#backgroundChecks = new BackgroundChecks({
      source,
      size,
      mime,
      head,
      isChecked: looked,
      fetcher,
      journal,
      policies,
      read: this.#read,
      signal: this.#ending.signal,
      onChecked: (brokenFrom) => {
        this.#record = { ...this.#record, looked: true, ...(brokenFrom !== undefined && { brokenFrom }) };
        if (brokenFrom !== undefined)
          journal.note(`lost from byte ${brokenFrom} on: other places behind it are lost as well`);
        this.#onChange();
      },
    });
  }

  /** Another SessionRecord.plan: what plays has turned out to be something else than was prepared. */
  setPlan(plan: unknown): void {
    this.#record = { ...this.#record, plan };
    this.#onChange();
  }

  /** SessionRecord.plan, once: what came of it is not to be tried again, in the next engine neither. */
  takePlan(): unknown {
    const { plan, ...others } = this.#record;
    this.#record = others;
    if (plan !== undefined) this.#onChange();
    return plan;
  }

  /** SessionRecord.notes */
  setNotes(notes: unknown): void {
    this.#record = { ...this.#record, notes };
    this.#onChange();
  }

  /** The first picture of the film is there. */
  firstFrameShown(): void {
    this.#onFirstFrame();
    this.#onFirstFrame = () => undefined;
  }

  /** Gives back what it keeps in memory: nobody has used it for a while. */
  releaseMemory(): void {
    this.firstFrameShown();
    this.fetcher.cancelPrefetch();
    const sample = this.source.relocate === undefined ? undefined : this.#latestSample();
    if (sample !== undefined) this.#record = { ...this.#record, sample };
    this.fetcher.cache.clear();
    this.fetchedSubtitles.clear();
  }

  /** Breaks off every request and frees everything. */
  end(): void {
    this.firstFrameShown();
    this.#ending.abort(new CancelledError('shutdown'));
    this.#requests.abortAll(new CancelledError('shutdown'));
    this.fetcher.close();
  }

  #troubleOf({ kind, since, failure }: Trouble): SessionTrouble {
    return { kind, since, ...(failure !== undefined && { why: this.#explain(failure) }) };
  }

  report(): SessionReport {
    const { id, name, size, mime, fills, lost = [], brokenFrom } = this.record;
    const { latency, decisions, sustained, trouble } = this.journal;
    const { cache, bufferedAhead: ahead, activeTransfers: lanes } = this.fetcher;
    return {
      id,
      name,
      size,
      mime,
      from: this.source.host,
      counters: { ...this.counters },
      buffer: { used: cache.used, ahead, connections: lanes },
      ...(latency === undefined ? {} : { latency }),
      ...(sustained === undefined ? {} : { sustained }),
      fills: fills.map(({ first, last, how }) => ({ first, last, how })),
      ...(lost.length === 0 ? {} : { lost }),
      ...(trouble === undefined ? {} : { trouble: this.#troubleOf(trouble) }),
      ...(this.#failure === undefined ? {} : { failure: this.#failure }),
      ...(brokenFrom === undefined ? {} : { brokenFrom }),
      unusedFor: this.unusedFor,
      decisions,
    };
  }
}
