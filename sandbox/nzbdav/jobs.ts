import { randomUUID } from 'node:crypto';
import { CATALOGUE, type CatalogueRelease } from '../catalogue.ts';
import type { Faults, JobFault } from '../faults.ts';
import { filesOf, type MountedFile } from './files.ts';

export interface SandboxJob {
  /** A lower-case GUID. */
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly state: 'queued' | 'downloading' | 'completed' | 'failed';
  /** 0 to 100. */
  readonly percent: number;
  /** The folder under /content/<category>, once there is one. */
  readonly folder?: string;
  readonly failure?: string;
  /** Bytes of the articles that its NZB names. */
  readonly bytes: number;
  /** Milliseconds from the job's turn to its end, as far as it is. */
  readonly took: number;
  /** Milliseconds since the epoch; undefined before. */
  readonly finished?: number;
}

export interface Mount {
  readonly category: string;
  readonly folder: string;
  readonly files: readonly MountedFile[];
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly release: CatalogueRelease | undefined;
  readonly password: string | undefined;
  readonly bytes: number;
  readonly fault: JobFault | undefined;
  readonly folderFault: Faults['folder'];
  /** When its turn came; only one job runs at a time. */
  started: number;
  end?: { readonly at: number; readonly folder?: string; readonly failure?: string };
}

/** Queue, history and mounted folders. Time is looked at when somebody asks: no clockwork runs in between. */
export class JobStore {
  readonly #queue: Entry[] = [];
  readonly #history: Entry[] = [];
  readonly #mounts: Mount[] = [];
  readonly #duration: number;
  readonly #faults: Faults;

  constructor(duration: number, faults: Faults) {
    this.#duration = duration;
    this.#faults = faults;
  }

  /** Queues an NZB under its file's name; returns the new id. @param id What it is to be; absent: a GUID. */
  add(filename: string, category: string, nzb: string, id: string = randomUUID()): string {
    const stem = filename.replace(/\.nzb$/i, '');
    const password = /\{\{(.*?)\}\}/.exec(stem)?.[1] ?? / password=(.*)$/.exec(stem)?.[1];
    const guid = /\.([0-9a-f-]{36})@sandbox\.invalid/.exec(nzb)?.[1];
    const bytes = [...nzb.matchAll(/<segment bytes="(\d+)"/g)].reduce(
      (sum, [, size]) => sum + Number(size),
      0,
    );
    const entry: Entry = {
      id,
      name: stem.replace(/\{\{.*?\}\}| password=.*$/, '').trim(),
      category,
      release: CATALOGUE.find((release) => release.guid === guid),
      password,
      bytes,
      fault: this.#faults.job,
      folderFault: this.#faults.folder,
      started: Date.now(),
    };
    this.#advance();
    this.#queue.push(entry);
    return entry.id;
  }

  /** Ids of the waiting jobs of that file name and category. */
  sameName(filename: string, category: string): string[] {
    const name = filename.replace(/\.nzb$/i, '');
    return this.queue()
      .filter((job) => job.name === name && job.category === category)
      .map(({ id }) => id);
  }

  /** The running one first, then in order of arrival. */
  queue(): SandboxJob[] {
    this.#advance();
    return this.#queue.map((entry, n) => this.#view(entry, n === 0));
  }

  /** The newest first. */
  history(): SandboxJob[] {
    this.#advance();
    return this.#history.map((entry) => this.#view(entry, false)).toReversed();
  }

  mounts(): readonly Mount[] {
    this.#advance();
    return this.#mounts;
  }

  removeQueued(ids: readonly string[]): void {
    this.#advance();
    const running = this.#queue[0]?.id;
    remove(this.#queue, (entry) => ids.includes(entry.id));
    if (running !== undefined && ids.includes(running)) this.#startNext(Date.now());
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

  #advance(): void {
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      const failure = this.#failureOf(head);
      const at = head.started + this.#duration * wayOf(head.fault, failure);
      if (head.fault?.kind === 'stuck' || Date.now() < at) return;
      this.#queue.shift();
      this.#startNext(at);
      if (head.fault?.kind !== 'vanishes') this.#finish(head, at, failure);
    }
  }

  #startNext(at: number): void {
    const next = this.#queue[0];
    if (next !== undefined) next.started = Math.max(next.started, at);
  }

  #finish(entry: Entry, at: number, failure: string | undefined): void {
    this.#history.push(entry);
    if (failure !== undefined || entry.release === undefined) {
      entry.end = { at, failure: failure ?? '' };
      return;
    }
    const folder = this.#freeFolder(entry.category, entry.name);
    entry.end = { at, folder };
    if (entry.folderFault === 'absent') return;
    this.#mounts.push({ category: entry.category, folder, files: filesOf(entry.release, entry.folderFault) });
  }

  /** nzbdav's default for duplicates: "Name (2)". */
  #freeFolder(category: string, name: string): string {
    const taken = (folder: string) =>
      this.#mounts.some((mount) => mount.category === category && mount.folder === folder);
    for (let n = 1; ; n++) {
      const folder = n === 1 ? name : `${name} (${n})`;
      if (!taken(folder)) return folder;
    }
  }

  #failureOf({ fault, release, password, bytes }: Entry): string | undefined {
    if (fault?.kind === 'fails') return fault.message;
    if (bytes === 0) return 'No importable video files were found.';
    if (release === undefined) return 'Article with message-id unknown was not found.';
    if (release.health === 'dead')
      return `Article with message-id 1.1.${release.guid}@sandbox.invalid was not found.`;
    if (release.password === true && password !== 'sandbox') return 'Archive is password-protected.';
    return undefined;
  }

  #view(entry: Entry, running: boolean): SandboxJob {
    const { id, name, category, bytes, end, fault, started } = entry;
    const percent = fault?.kind === 'stuck' ? fault.percent : this.#percent(entry, running);
    const state = running && percent > 0 ? 'downloading' : 'queued';
    const common = { id, name, category, bytes };
    if (end === undefined) return { ...common, state, percent, took: running ? Date.now() - started : 0 };
    return {
      ...common,
      state: end.failure === undefined ? 'completed' : 'failed',
      percent: 100,
      took: end.at - started,
      finished: end.at,
      ...(end.folder === undefined ? {} : { folder: end.folder }),
      ...(end.failure === undefined ? {} : { failure: end.failure }),
    };
  }

  #percent({ started }: Entry, running: boolean): number {
    return running ? Math.min(100, Math.floor(((Date.now() - started) * 100) / this.#duration)) : 0;
  }
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
