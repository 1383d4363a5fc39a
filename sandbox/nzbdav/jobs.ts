import { randomUUID } from 'node:crypto';
import type { CatalogueRelease } from '../catalogue.ts';
import type { Faults, JobFault } from '../faults.ts';
import { monotonicTime } from '../http/clock.ts';
import { listedFiles } from './altmount-names.ts';
import { altmountFailureOf } from './altmount-outcome.ts';
import type { Dialect } from './dialect.ts';
import { filesOf, type MountedFile } from './files.ts';
import type { SandboxJob } from './job.ts';
import { DUPLICATE, failureOf, isProviderAway, type JobAttempt, NO_PROVIDER } from './outcome.ts';
import { type Warning, warningsOf } from './slots.ts';
import { parseNzb } from './submitted-nzb.ts';

export interface Mount {
  readonly category: string;
  readonly folder: string;
  readonly files: readonly MountedFile[];
}

/** An NZB that is to become a job. */
export interface Submitted {
  /** Its file's name. */
  readonly file: string;
  readonly category: string;
  readonly nzb: string;
  /** What the id is to be; absent: a GUID. */
  readonly id?: string;
  readonly priority?: number;
}

export interface StoreOptions {
  /** Milliseconds that a job takes. */
  readonly duration: number;
  readonly dialect: Dialect;
  readonly faults: Faults;
  /** What was posted. */
  readonly posts: readonly CatalogueRelease[];
  /** Milliseconds for which a job is held each time its provider cannot be had. */
  readonly hold: number;
  /** Milliseconds of the clock at which jobs begin. */
  readonly clock: number;
}

interface Entry extends JobAttempt {
  readonly id: string;
  readonly file: string;
  readonly name: string;
  category: string;
  priority: number;
  readonly source: string;
  readonly fault: JobFault | undefined;
  readonly folderFault: Faults['folder'];
  readonly duplicates: Faults['duplicates'];
  paused: boolean;
  holds: number;
  /** From when on it may run: when it came, or a hold is over. */
  ready: number;
  /** When its turn came; only one job runs at a time. */
  started: number;
  end?: { readonly at: number; readonly folder?: string; readonly failure?: string };
}

/** Queue, history and mounted folders. Time is looked at when somebody asks: no clockwork runs in between. */
export class JobStore {
  /** A person has paused the whole queue. */
  paused = false;
  /** Files that the server serves no more: category, job and path, as AltMount withdraws them. */
  readonly withdrawn = new Set<string>();
  readonly #began = monotonicTime();
  readonly #waiting: Entry[] = [];
  readonly #warnings: Warning[] = [];
  readonly #history: Entry[] = [];
  readonly #mounts: Mount[] = [];
  readonly #options: StoreOptions;
  #running: Entry | undefined;
  /** When the last job has made room. */
  #free = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
  }

  /** Queues an NZB under its file's name; returns the new id. */
  add({ file, category, nzb: source, id = randomUUID(), priority = -100 }: Submitted): string {
    const { faults, posts } = this.#options;
    const nzb = parseNzb(source);
    const stem = file.replace(/\.nzb$/i, '');
    this.#advance();
    this.#waiting.push({
      id,
      file,
      category,
      priority,
      source,
      nzb,
      name: stem.replace(PASSWORD, '').trim(),
      release: posts.find(({ guid }) => guid === nzb.guid),
      password: PASSWORD.exec(stem)?.slice(1).find(Boolean) ?? nzb.password,
      fault: faults.job,
      folderFault: faults.folder,
      duplicates: faults.duplicates,
      paused: false,
      holds: 0,
      ready: this.#nextTick(),
      started: 0,
    });
    return id;
  }

  /** Ids of the waiting jobs of that file name and category. */
  sameName(file: string, category: string): string[] {
    return this.queue()
      .filter((job) => job.file === file && job.category === category)
      .map(({ id }) => id);
  }

  /** The running one first, then the highest priority, then the oldest. */
  queue(): SandboxJob[] {
    this.#advance();
    const running = this.#running === undefined ? [] : [this.#running];
    return [...running, ...this.#inTurn()].map((entry) => this.#view(entry));
  }

  /** The newest first. */
  history(): SandboxJob[] {
    this.#advance();
    return this.#history.map((entry) => this.#view(entry)).toReversed();
  }

  /** What was ever wrong with the provider, the newest last. */
  warnings(): readonly Warning[] {
    this.#advance();
    return this.#warnings;
  }

  mounts(): readonly Mount[] {
    this.#advance();
    return this.#mounts;
  }

  /** Whether one of these jobs is under way. */
  runs(ids: readonly string[]): boolean {
    this.#advance();
    return this.#running !== undefined && ids.includes(this.#running.id);
  }

  removeQueued(ids: readonly string[]): void {
    if (this.runs(ids)) {
      this.#running = undefined;
      this.#free = monotonicTime();
    }
    remove(this.#waiting, (entry) => ids.includes(entry.id));
  }

  removeFinished(ids: readonly string[], files: boolean): void {
    this.#advance();
    const gone = remove(this.#history, (entry) => ids.includes(entry.id));
    if (!files) return;
    for (const { category, end } of gone)
      remove(this.#mounts, (mount) => mount.category === category && mount.folder === end?.folder);
  }

  /** What a DELETE in the share does: the history knows nothing of it. */
  removeMount(gone: Mount): void {
    remove(this.#mounts, (mount) => mount === gone);
  }

  /** Changes waiting jobs, as the fork lets people do. */
  change(
    ids: readonly string[],
    change: { readonly category?: string; readonly priority?: number; readonly paused?: boolean },
  ): void {
    this.#advance();
    for (const entry of this.#waiting) if (ids.includes(entry.id)) Object.assign(entry, change);
  }

  /** Queues a finished job anew, under a new id. @returns undefined when there is none of this id */
  retry(id: string): string | undefined {
    const [entry] = remove(this.#history, (each) => each.id === id);
    if (entry === undefined) return undefined;
    const { file, category, source, priority } = entry;
    return this.add({ file, category, nzb: source, priority });
  }

  #nextTick(): number {
    const { clock } = this.#options;
    const now = monotonicTime();
    return clock === 0 ? now : this.#began + Math.ceil((now - this.#began) / clock) * clock;
  }

  #inTurn(): Entry[] {
    return this.#waiting.toSorted((a, b) => rankOf(b) - rankOf(a));
  }

  #advance(): void {
    const { faults, duration, dialect } = this.#options;
    for (;;) {
      this.#running ??= this.#takeNext();
      const job = this.#running;
      if (job === undefined) return;
      if (isProviderAway(faults) && dialect.failureWords !== 'altmount') {
        this.#hold(job, faults.provider);
        continue;
      }
      const failure = this.#failureOf(job);
      const at = job.started + duration * wayOf(job.fault, failure);
      if (faults.provider === 'silent' || job.fault?.kind === 'stuck' || monotonicTime() < at) return;
      this.#running = undefined;
      this.#free = at;
      if (job.fault?.kind !== 'vanishes') this.#finish(job, at, failure);
    }
  }

  #takeNext(): Entry | undefined {
    const now = monotonicTime();
    const next = this.#inTurn().find(({ paused, ready }) => !paused && ready <= now);
    if (next === undefined || this.paused) return undefined;
    remove(this.#waiting, (entry) => entry === next);
    next.started = Math.max(next.ready, this.#free);
    return next;
  }

  #hold(job: Entry, provider: 'away' | 'refuses-login'): void {
    job.holds++;
    this.#warnings.push(...warningsOf(job, provider));
    job.ready = monotonicTime() + Math.max(1, this.#options.hold);
    this.#running = undefined;
    this.#waiting.push(job);
  }

  #failureOf(job: Entry): string | undefined {
    const { dialect, faults } = this.#options;
    if (job.fault?.kind === 'fails') return job.fault.message;
    if (dialect.failureWords === 'altmount') return altmountFailureOf(job, job.name, faults);
    if (faults.provider === 'none') return NO_PROVIDER;
    return failureOf(job, dialect);
  }

  #finish(job: Entry, at: number, failure: string | undefined): void {
    this.#history.push(job);
    const { category, name, release } = job;
    if (failure !== undefined || release === undefined) {
      job.end = { at, failure: failure ?? '' };
      if (category === DIRECT && release !== undefined)
        this.#mountAtAltMount(job, filesOf({ ...job, release }, undefined));
      return;
    }
    if (job.duplicates === 'failed' && this.#isTaken(category, name)) {
      // The folder that it names is the other job's, and can be played.
      job.end = { at, folder: name, failure: DUPLICATE };
      return;
    }
    const files = filesOf({ ...job, release }, job.folderFault);
    if (this.#options.dialect.family === 'altmount') {
      job.end = { at, folder: name };
      this.#mountAtAltMount(job, files);
      return;
    }
    const folder = this.#freeFolder(category, name);
    job.end = { at, folder };
    if (job.folderFault !== 'absent') this.#mounts.push({ category, folder, files });
  }

  /** Jobs of one name share a folder. */
  #mountAtAltMount(job: Entry, files: readonly MountedFile[]): void {
    const { category, name, folderFault } = job;
    const [before] = remove(this.#mounts, (mount) => mount.category === category && mount.folder === name);
    const there = before?.files ?? [];
    const taken = there.map(({ path }) => path);
    const added = folderFault === undefined ? listedFiles(files, name, taken) : files;
    if (folderFault !== 'absent') this.#mounts.push({ category, folder: name, files: [...there, ...added] });
  }

  /** nzbdav's default for duplicates: "Name (2)". */
  #freeFolder(category: string, name: string): string {
    for (let n = 1; ; n++) {
      const folder = n === 1 ? name : `${name} (${n})`;
      if (!this.#isTaken(category, folder)) return folder;
    }
  }

  #isTaken(category: string, folder: string): boolean {
    return this.#mounts.some((mount) => mount.category === category && mount.folder === folder);
  }

  #view(entry: Entry): SandboxJob {
    const { id, name, file, category, priority, paused, holds, end, fault, started } = entry;
    const running = entry === this.#running;
    const common = { id, name, file, category, priority, paused, holds, bytes: entry.nzb.bytes };
    if (end !== undefined)
      return {
        ...common,
        state: end.failure === undefined ? 'completed' : 'failed',
        percent: 100,
        took: end.at - started,
        finished: end.at,
        ...(end.folder === undefined ? {} : { folder: end.folder }),
        ...(end.failure === undefined ? {} : { failure: end.failure }),
      };
    const percent = running ? this.#percent(entry) : 0;
    const shows = running && !(fault?.kind === 'stuck' && fault.percent === 0);
    return {
      ...common,
      state: shows ? 'downloading' : 'queued',
      percent,
      took: running ? monotonicTime() - started : 0,
    };
  }

  #percent({ fault, started }: Entry): number {
    if (fault?.kind === 'stuck') return fault.percent;
    if (this.#options.faults.provider === 'silent') return 0;
    return Math.min(100, Math.floor(((monotonicTime() - started) * 100) / this.#options.duration));
  }
}

/** AltMount's category of orders that name none: what fails there leaves its files (protocols.md §8.12). */
const DIRECT = 'stremio';

/** How an archive's password stands at the end of a file name. */
const PASSWORD = /\{\{(.*)\}\}$| password=(.*)$/;

/** Paused ones come last, SABnzbd's default is its 0. */
function rankOf({ priority, paused }: Entry): number {
  if (paused) return -Infinity;
  return priority === -100 ? 0 : priority;
}

/** How much of its time a job takes that ends like this. */
function wayOf(fault: JobFault | undefined, failure: string | undefined): number {
  if (failure === undefined) return 1;
  return fault?.kind === 'fails' ? (fault.at ?? 50) / 100 : 0.5;
}

function remove<T>(list: T[], which: (item: T) => boolean): T[] {
  const gone = list.filter(which);
  const kept = list.filter((item) => !which(item));
  list.splice(0, list.length, ...kept);
  return gone;
}
