import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Document, listDocuments, openDocument } from '../io/store.ts';

/**
 * The jobs that were given to a backend and not yet handed to a player. A job is entered before it is submitted, so
 * that whoever comes next (the service, or the next start) can remove what a killed process left behind. One document
 * per job, written only by the process that submits it; no secret is in it.
 */
export interface Ledger {
  /** Enters a job that is about to be submitted. */
  enter(jobName: string, category: string): Promise<LedgerEntry>;
  /** The jobs whose process is gone, or whose time is over. */
  abandoned(): Promise<AbandonedJob[]>;
}

export interface LedgerEntry {
  /** Notes the id that the backend gave. */
  submitted(jobId: string): Promise<void>;
  /** Takes the job out: it was handed over, or removed from the backend. */
  strike(): Promise<void>;
}

export interface AbandonedJob {
  readonly name: string;
  readonly category: string;
  readonly id?: string;
  strike(): Promise<void>;
}

const Row = v.object({
  jobName: v.string(),
  category: v.string(),
  jobId: v.optional(v.string()),
  /** The process that looks after the job. */
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Milliseconds since the epoch after which nobody looks after it any more, whatever the pid says (pids are reused). */
  expires: v.number(),
});
type Row = v.InferOutput<typeof Row>;

const VERSION = 1;

/** @param lifetime Milliseconds that a job is looked after at the most. */
export function openLedger(dataFolder: string, lifetime: number): Ledger {
  const folder = join(dataFolder, 'ledger');
  const open = (name: string): Document<Row> =>
    openDocument(folder, name, { version: VERSION, parse: (value) => v.parse(Row, value) });
  return {
    enter: async (jobName, category) => {
      const document = open(randomUUID());
      const row: Row = { jobName, category, pid: process.pid, expires: Date.now() + lifetime };
      await document.write(row);
      return {
        submitted: (jobId) => document.write({ ...row, jobId }),
        strike: () => document.remove(),
      };
    },
    abandoned: async () => {
      const found: AbandonedJob[] = [];
      for (const name of await listDocuments(folder)) {
        const document = open(name);
        const row = await document.read();
        // What cannot be read tells of no job; when it cannot be removed either, the others still count.
        if (row === undefined) await document.remove().catch(() => undefined);
        else if (isAbandoned(row)) found.push(abandonedJob(row, document));
      }
      return found;
    },
  };
}

function abandonedJob({ jobName, category, jobId }: Row, document: Document<Row>): AbandonedJob {
  return {
    name: jobName,
    category,
    ...(jobId === undefined ? {} : { id: jobId }),
    strike: () => document.remove(),
  };
}

function isAbandoned({ pid, expires }: Row): boolean {
  return Date.now() > expires || !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
