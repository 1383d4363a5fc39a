import type { Check } from '../diagnosis/check.ts';
import type { SlipstreamError } from '../errors/index.ts';
import type { JobFile } from '../job-files/choose-video.ts';
import type { Job, JobProgress, MediaRequest, Playable, Release } from '../model/index.ts';

/**
 * A playback backend. Every implementation passes test/contracts/backend.ts. All calls end at once, with the
 * signal's reason, when the signal aborts; all failures are SlipstreamErrors.
 */
export interface Backend {
  /** The name that messages use, such as "nzbdav". */
  readonly name: string;
  /** Which server it is: its kind and its API's origin, without any secret. A job in the ledger belongs to one of them. */
  readonly identity: string;
  /** What it holds cannot be found again once the play has ended. */
  readonly hasNoJobList?: true;
  /**
   * It downloads a release whole and mends it by its parity files before it is played, so it is given NZBs as they came.
   * Absent: it streams, and what an NZB lacks would be wrong bytes.
   */
  readonly repairs?: true;
  /** How its files are played. */
  readonly via: Playable['via'];
  /**
   * Tries, one after the other, all that a play will need, and ends with the first thing that does not work. Rejects
   * only when the signal aborts.
   */
  test(signal: AbortSignal): Promise<readonly Check[]>;
  /**
   * What is there already and could be played, newest first, whoever submitted it; nothing where the backend keeps no
   * such list (`hasNoJobList`). @throws AUTH_FAILED, UNREACHABLE, TIMEOUT, BAD_ANSWER, SERVICE_ERROR
   */
  finishedJobs(signal: AbortSignal): Promise<readonly FinishedJob[]>;
  /**
   * Finds out what would fail every play though its job got ready: what `finishedJobs`, which has to have answered, has no need
   * of. It costs one request at the most that a play does not make anyway. Absent: there is nothing of the kind.
   * @throws what a play would fail with, and SUBMIT_REFUSED when no NZB is taken at all
   */
  preflight?(signal: AbortSignal): Promise<void>;
  /** The category under which it files a request. */
  categoryOf(request: MediaRequest): string;
  /**
   * Gives the NZB to the backend under `jobName`, a unique name that the caller has put in the ledger before.
   * An answer that does not arrive is looked for in queue and history by that name before anything is sent twice.
   * @throws SUBMIT_REFUSED (transient: the backend may have the job all the same), AUTH_FAILED, UNREACHABLE, TIMEOUT,
   *   BAD_ANSWER
   */
  submit(nzb: Nzb, jobName: string, request: MediaRequest, signal: AbortSignal): Promise<Job>;
  /**
   * As `submit`, of an NZB that the server fetches itself: whatever lies at the address is taken, and nobody has checked it.
   * Absent where the server does not fetch, or is not known to.
   * @param address Its keys go to the server, and so does the password of its archive.
   */
  readonly submitAddress?:
    | ((address: NzbAddress, jobName: string, request: MediaRequest, signal: AbortSignal) => Promise<Job>)
    | undefined;
  /**
   * Waits until the job is ready, reporting progress as it changes.
   * @throws JOB_FAILED when the backend failed or lost it; JOB_TIMEOUT after `timeout` milliseconds.
   */
  waitUntilReady(job: Job, options: WaitOptions): Promise<FinishedJob>;
  /**
   * Lets further posts of the same release wait behind a job that was submitted, the best first. When the job fails, the
   * backend takes them by itself: `waitUntilReady` goes on with them, `locate` finds their files, and `remove` of the job
   * removes them too. As many as the settings allow are taken, and none when it would download them all at once. Absent
   * where a backend has no such thing.
   * @returns how many wait now. @throws as submit
   */
  addBackups?(nzbs: readonly Nzb[], job: Job, signal: AbortSignal): Promise<number>;
  /** Removes what still waits behind a job that plays, and what has failed before it: nobody needs it. @throws as remove */
  dropBackups?(job: JobToRemove, signal: AbortSignal): Promise<void>;
  /**
   * Finds the video that fits the request, with the files of the job on the way to it.
   * @throws NO_VIDEO, AUTH_FAILED, UNREACHABLE; BAD_ANSWER when the finished job's folder is not where it should be
   */
  locate(job: FinishedJob, request: MediaRequest, signal: AbortSignal): Promise<Located>;
  /**
   * Reads `length` bytes of a located file from byte `from` on, fewer only at its end: evidence that they can be had.
   * @throws DAMAGED when the file's server says or shows that they cannot; UNREACHABLE, TIMEOUT, SERVICE_ERROR, which
   *   prove nothing
   */
  read(
    file: Playable,
    range: { readonly from: number; readonly length: number },
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  /**
   * Why a finished job's stream could not be opened, with the server's own words where it keeps a record of that.
   * Transient: the same release may be had at a second try. Absent where the server keeps none. Rejects only when the signal aborts.
   */
  readonly explain?:
    | ((failure: SlipstreamError, job: FinishedJob, signal: AbortSignal) => Promise<SlipstreamError>)
    | undefined;
  /**
   * Removes a job with its files wherever it stands: the one of that id and everything under its unique name, since the
   * job may have been renumbered or sent twice. Absent is fine, but not the end of a job whose submission may still be
   * under way.
   * @throws SERVICE_ERROR when it is still there afterwards; AUTH_FAILED, UNREACHABLE, TIMEOUT, BAD_ANSWER
   */
  remove(job: JobToRemove, signal: AbortSignal): Promise<Removal>;
}

export interface JobToRemove {
  /** As far as it is known. */
  readonly id?: string;
  readonly name: string;
  readonly category?: string;
}

/** removed: it was found and is gone. absent: nothing was found. */
export type Removal = 'removed' | 'absent';

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
  readonly onProgress: (progress: JobProgress) => void;
  /** When the submission was answered, as performance.now() has it; absent: just now. */
  readonly submittedAt?: number;
}

export interface FinishedJob extends Job {
  /** Where the backend says the files are; its form is the backend's business, and it may be secret. */
  readonly storage: string;
  /** Bytes of the whole job as the backend counts, which may be those of the articles. */
  readonly size?: number;
  /** Milliseconds since the epoch. */
  readonly finished?: number;
}

export interface Located {
  readonly file: Playable;
  /** Every file of the job that was seen; what a season pack is remembered by. */
  readonly files: readonly JobFile[];
  /** Of a stream that was opened to be located: what it turned out to be. Nobody has held that against what was asked for. */
  readonly received?: ReceivedFile;
}

/** What a service that streams has sent. */
export interface ReceivedFile {
  /** Bytes. */
  readonly size?: number | undefined;
  /** The file's own name; absent: nobody tells. */
  readonly name?: string | undefined;
}

/** Where an NZB is to be fetched. */
export interface NzbAddress {
  readonly url: string;
  readonly password?: string | undefined;
}

/** A fetched and checked NZB. */
export interface Nzb {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly release: Release;
  /** Files and segments it names, each at least 1. */
  readonly fileCount: number;
  readonly segmentCount: number;
  /** As Serving.articleBytes, of what the request needs; absent where it was not looked at. */
  readonly articleBytes?: number;
  /**
   * Bytes that the wanted video has at least, with what an archive holds beside it: without par2, samples, subtitles and
   * other videos. Absent where names do not tell, and for a pack or a disc.
   */
  readonly videoBytes?: number;
  /**
   * Names of the files that hold the wanted episode, in a release that may hold others. Absent where names do not tell, and
   * where it holds no others.
   */
  readonly episodeFiles?: readonly string[];
}
