import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { isRunning } from '../io/process.ts';
import { listDocuments, openDocument, type StoredDocument } from '../io/store.ts';

/**
 * The jobs that were given to a backend and not yet handed to a player. A job is entered before it is submitted, so
 * that whoever comes next (the service, or the next start) can remove what a killed process left behind. One document
 * per job, written only by the process that submits it; no secret is in it.
 */
export interface Ledger {
  /** Enters a job that is about to be submitted to the backend of that identity (Backend.identity). */
  enter(jobName: string, category: string, backendIdentity: string): Promise<LedgerEntry>;
  /** The jobs whose process is gone or gave them up, or whose time is over. What nobody could remove for days is dropped. */
  abandoned(): Promise<AbandonedJob[]>;
}

export interface LedgerEntry {
  /** Notes the id that the backend gave. */
  markSubmitted(jobId: string): Promise<void>;
  /** Notes the stream by which the job is about to be played, as it is announced. */
  markPlaying(stream: string): Promise<void>;
  /** Takes the job out: it was handed over, or removed from the backend. */
  remove(): Promise<void>;
  /** Leaves the job to the service, though this process goes on: it could not be removed, or may yet appear. */
  abandon(): Promise<void>;
}

export interface AbandonedJob {
  readonly name: string;
  readonly category: string;
  /** Identity of the backend that it was submitted to. */
  readonly backend: string;
  /** When its submission began, in milliseconds since the epoch. */
  readonly entered: number;
  readonly id?: string;
  /** By which its process was about to have it played; absent: it did not come so far, or gave the job up. */
  readonly stream?: string;
  removeFromLedger(): Promise<void>;
}

const Row = v.object({
  jobName: v.string(),
  category: v.string(),
  backend: v.string(),
  jobId: v.optional(v.string()),
  /** As announced: without any secret. */
  stream: v.optional(v.string()),
  /** The process that looks after the job. */
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Milliseconds since the epoch. */
  entered: v.number(),
  /** Milliseconds since the epoch after which nobody looks after it any more, whatever the pid says (pids are reused). */
  expires: v.number(),
  /** Its process gave it up. */
  abandoned: v.optional(v.boolean()),
});
type Row = v.InferOutput<typeof Row>;

const VERSION = 2;
/** Milliseconds past its expiry after which a backend that never let itself be asked is not asked any more. */
const RETENTION_MS = 7 * 24 * 60 * 60_000;

/** @param lifetime Milliseconds that a job is looked after at the most. */
export function openLedger(dataFolder: string, lifetime: number): Ledger {
  const folder = join(dataFolder, 'ledger');
  const open = (name: string): StoredDocument<Row> =>
    openDocument(folder, name, { version: VERSION, parse: (value) => v.parse(Row, value), newer: 'keep' });
  return {
    enter: async (jobName, category, backend) => {
      const entered = Date.now();
      const row = { jobName, category, backend, pid: process.pid, entered, expires: entered + lifetime };
      const document = open(randomUUID());
      await document.write(row);
      return ledgerEntry(row, document);
    },
    abandoned: async () => {
      const found: AbandonedJob[] = [];
      for (const name of await listDocuments(folder)) {
        const document = open(name);
        const row = await document.read();
        // What cannot be read tells of no job; when it cannot be removed either, the others still count.
        if (row === undefined || Date.now() > row.expires + RETENTION_MS)
          await document.remove().catch(() => undefined);
        else if (isAbandoned(row)) found.push(abandonedJob(row, document));
      }
      return found;
    },
  };
}

function ledgerEntry(entered: Row, document: StoredDocument<Row>): LedgerEntry {
  let row = entered;
  const change = (what: Partial<Row>) => {
    row = { ...row, ...what };
    return document.write(row);
  };
  return {
    markSubmitted: (jobId) => change({ jobId }),
    markPlaying: (stream) => change({ stream }),
    remove: () => document.remove(),
    abandon: () => change({ abandoned: true }),
  };
}

function abandonedJob(row: Row, document: StoredDocument<Row>): AbandonedJob {
  const { jobName, category, backend, entered, jobId, stream, abandoned } = row;
  return {
    name: jobName,
    category,
    backend,
    entered,
    ...(jobId === undefined ? {} : { id: jobId }),
    ...(stream === undefined || abandoned === true ? {} : { stream }),
    removeFromLedger: () => document.remove(),
  };
}

function isAbandoned({ pid, expires, abandoned }: Row): boolean {
  return abandoned === true || Date.now() > expires || !isRunning(pid);
}
