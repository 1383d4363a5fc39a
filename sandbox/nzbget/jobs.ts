import { createHash } from 'node:crypto';
import { CATALOGUE } from '../catalogue.ts';
import type { NzbgetJob } from './entry.ts';
import type { NzbgetFaults, NzbgetJobFault } from './faults.ts';
import type { FinishedFolders } from './folders.ts';
import type { Submission } from './submission.ts';

export interface View {
  readonly status: string;
  /** Share of the download that is done, 0 to 1. */
  readonly done: number;
  /** Permille of the post-processing step. */
  readonly stage: number;
}

/** The steps of a job and the share of its time at which each begins. */
const STEPS = [
  ['DOWNLOADING', 0],
  ['PP_QUEUED', 0.6],
  ['VERIFYING_SOURCES', 0.62],
  ['REPAIRING', 0.7],
  ['VERIFYING_REPAIRED', 0.78],
  ['RENAMING', 0.8],
  ['UNPACKING', 0.82],
  ['MOVING', 0.97],
] as const;
const REPAIR: ReadonlySet<string> = new Set(['REPAIRING', 'VERIFYING_REPAIRED']);

/** Whatever was downloaded to its end lies on the disk. */
const LEAVES_FILES = /^(?:SUCCESS|WARNING|FAILURE)\//;

/** Milliseconds until the connections of a job that is downloaded have ended. */
const LETTING_GO = 20;

/** Queue and history. Time is looked at when somebody asks: no clockwork runs in between. */
export class NzbgetJobs {
  readonly queue: NzbgetJob[] = [];
  /** The newest first. */
  readonly history: NzbgetJob[] = [];
  /** The option DupeCheck. */
  dupeCheck = true;
  /** All downloads are paused, but those of the priority "force". */
  paused = false;
  readonly #duration: number;
  readonly #faults: NzbgetFaults;
  readonly #folders: FinishedFolders;
  #lastId = 0;

  /** @param duration Milliseconds that a job takes, one after the other. */
  constructor(duration: number, faults: NzbgetFaults, folders: FinishedFolders) {
    this.#duration = duration;
    this.#faults = faults;
    this.#folders = folders;
  }

  add(submission: Submission): number {
    this.advance();
    const { filename, nzb } = submission;
    const guid = /\.([0-9a-f-]{36})@sandbox\.invalid/.exec(nzb)?.[1];
    const entry: NzbgetJob = {
      ...submission,
      id: ++this.#lastId,
      // As NZBGet does with what no file system takes; the file's name stays as it came.
      name: filename.replace(/\.nzb$/i, '').replace(/[\\/:*?"<>|]/g, '_'),
      content: createHash('sha256').update(nzb).digest('hex'),
      release: CATALOGUE.find((release) => release.guid === guid),
      fault: this.#faults.job,
      folderFault: this.#faults.folder,
      bytes: [...nzb.matchAll(/<segment bytes="(\d+)"/g)].reduce((sum, [, size]) => sum + Number(size), 0),
      started: Date.now(),
    };
    const aside = this.#putAside(entry);
    if (aside === undefined) this.queue.push(entry);
    else this.#toHistory(entry, Date.now(), aside);
    return entry.id;
  }

  /** Lets the jobs do what they have done since the last time. */
  advance(): void {
    for (const entry of this.queue.filter(({ goes = Infinity }) => goes <= Date.now())) this.#drop(entry);
    for (let head = this.#running(); head !== undefined; head = this.#running()) {
      const failure = failureOf(head);
      const at = head.started + this.#duration * wayOf(head.fault, failure);
      if (isStill(head) || Date.now() < at) return;
      this.queue.splice(this.queue.indexOf(head), 1);
      const next = this.#running();
      if (next !== undefined) next.started = Math.max(next.started, at);
      if (head.fault?.kind !== 'vanishes') this.#finish(head, at, failure);
    }
  }

  view(entry: NzbgetJob): View {
    const { fault, started } = entry;
    if (fault?.kind === 'hopeless') return { status: 'PAUSED', done: 0.4, stage: 0 };
    if (entry !== this.#running()) return { status: 'QUEUED', done: 0, stage: 0 };
    if (fault?.kind === 'stuck')
      return { status: fault.percent === 0 ? 'QUEUED' : 'DOWNLOADING', done: fault.percent / 100, stage: 0 };
    const share = Math.min(0.999, (Date.now() - started) / this.#duration);
    const steps = STEPS.filter(([status]) => fault?.kind === 'repaired' || !REPAIR.has(status));
    const index = steps.findLastIndex(([, from]) => share >= from);
    const [status, from] = steps[index] ?? STEPS[0];
    const inStep = (share - from) / ((steps[index + 1]?.[1] ?? 1) - from);
    return { status, done: status === 'DOWNLOADING' ? inStep : 1, stage: Math.floor(inStep * 1000) };
  }

  removeQueued(ids: readonly number[]): boolean {
    this.advance();
    const gone = this.queue.filter(({ id }) => ids.includes(id));
    for (const entry of gone) {
      if (entry === this.#running()) entry.goes = Date.now() + LETTING_GO;
      else if (entry.goes === undefined) this.#drop(entry);
    }
    return gone.length > 0;
  }

  /** The files stay where they are, those of a success and of a failure that was downloaded to its end. */
  removePast(ids: readonly number[]): boolean {
    this.advance();
    const gone = this.history.filter(({ id }) => ids.includes(id));
    for (const entry of gone) this.history.splice(this.history.indexOf(entry), 1);
    return gone.length > 0;
  }

  /** Deletes the files and puts the job into the queue. */
  redownload(ids: readonly number[]): boolean {
    this.advance();
    const back = this.history.filter(({ id }) => ids.includes(id));
    for (const entry of back) {
      this.history.splice(this.history.indexOf(entry), 1);
      this.#folders.remove(entry);
      this.#requeue(entry);
    }
    return back.length > 0;
  }

  #running(): NzbgetJob | undefined {
    return this.queue.find(({ priority, goes }) => goes === undefined && (!this.paused || priority >= 900));
  }

  #drop(entry: NzbgetJob): void {
    this.queue.splice(this.queue.indexOf(entry), 1);
    this.#folders.remove(entry);
    const next = this.#running();
    if (next !== undefined) next.started = Math.max(next.started, Date.now());
  }

  #requeue(entry: NzbgetJob): void {
    delete entry.end;
    entry.started = Date.now();
    this.queue.push(entry);
  }

  #finish(entry: NzbgetJob, at: number, failure: string | undefined): void {
    const { fault } = entry;
    const status = failure ?? (fault?.kind === 'ends' ? fault.status : 'SUCCESS/UNPACK');
    this.#toHistory(entry, at, status);
    if (LEAVES_FILES.test(status) && entry.release !== undefined) this.#folders.fill(entry);
    if (failure !== undefined && entry.dupeMode === 'SCORE') this.#promote(entry);
  }

  #toHistory(entry: NzbgetJob, at: number, status: string): void {
    entry.end = { at, status };
    this.history.unshift(entry);
  }

  /** The best backup of the key takes the place of what failed. */
  #promote({ dupeKey }: NzbgetJob): void {
    const [best] = this.history
      .filter((each) => each.dupeKey === dupeKey && each.end?.status === 'DELETED/DUPE')
      .sort((a, b) => b.dupeScore - a.dupeScore);
    if (best === undefined) return;
    this.history.splice(this.history.indexOf(best), 1);
    this.#requeue(best);
  }

  /** What the check for duplicates says of a new job. */
  #putAside({ content, dupeKey, dupeScore, dupeMode }: NzbgetJob): string | undefined {
    if (!this.dupeCheck || dupeMode === 'FORCE') return undefined;
    if ([...this.queue, ...this.history].some((other) => other.content === content)) return 'DELETED/COPY';
    const others = [...this.queue, ...this.history.filter(({ end }) => end?.status.startsWith('SUCCESS/'))];
    const isBetter = (other: NzbgetJob) =>
      other.dupeMode !== 'FORCE' && other.dupeKey === dupeKey && other.dupeScore >= dupeScore;
    return dupeMode === 'SCORE' && others.some(isBetter) ? 'DELETED/DUPE' : undefined;
  }
}

const isStill = ({ fault }: NzbgetJob) => fault?.kind === 'stuck' || fault?.kind === 'hopeless';

function failureOf({ fault, release, bytes, parameters }: NzbgetJob): string | undefined {
  if (fault?.kind === 'fails') return fault.status;
  if (bytes === 0 || release === undefined) return 'FAILURE/SCAN';
  if (release.health === 'dead') return 'FAILURE/HEALTH';
  const given = parameters.get('*Unpack:Password');
  const { archive } = release;
  return archive?.password === undefined || archive.password === given ? undefined : 'WARNING/PASSWORD';
}

function wayOf(fault: NzbgetJobFault | undefined, failure: string | undefined): number {
  if (failure === undefined) return 1;
  return fault?.kind === 'fails' ? (fault.at ?? 50) / 100 : 0.5;
}
