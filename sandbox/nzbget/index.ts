import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPort } from '../http/port.ts';
import { type NzbgetFaults, noNzbgetFaults } from './faults.ts';
import { FinishedFolders } from './folders.ts';
import { NzbgetJobs } from './jobs.ts';
import { call } from './rpc.ts';
import { type RecordedCall, rpcListener } from './serve.ts';

export { type NzbgetFaults, noNzbgetFaults } from './faults.ts';
export type { NzbgetJobs } from './jobs.ts';
export type { RecordedCall } from './serve.ts';

export interface NzbgetOptions {
  /** Milliseconds that a job takes, one after the other. Default 1500. */
  readonly jobDuration?: number;
  readonly version?: string;
}

/** A simulated NZBGet, and the folder that it shares. */
export interface SandboxNzbget {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Of an account that may add downloads, and nothing else. */
  readonly addOnly: { readonly username: string; readonly password: string };
  /** Where its finished downloads lie on this machine. */
  readonly folder: string;
  /** How it calls that folder itself. */
  readonly serverFolder: string;
  readonly requests: readonly RecordedCall[];
  readonly faults: NzbgetFaults;
  readonly jobs: NzbgetJobs;
  /** Refuses connections from now on and breaks off the open ones. */
  shut(): Promise<void>;
  /** The same port again; it knows all that it knew. */
  open(): Promise<void>;
  /** Its folder goes too. */
  close(): Promise<void>;
}

/** Worth nothing, and easy to look for in logs and messages. */
export const NZBGET_CANARY = 'canary:nzbget "password"/d01b7e';
const USERNAME = 'nzbget';
const ADD_ONLY = { username: 'adder', password: 'canary-adder-77c2' };
const SERVER_FOLDER = '/downloads/completed';
const CATEGORIES = ['Movies', 'Series'];

export async function startNzbget({
  jobDuration = 1500,
  version = '24.8',
}: NzbgetOptions = {}): Promise<SandboxNzbget> {
  const folder = join(mkdtempSync(join(tmpdir(), 'sandbox-nzbget-')), 'completed');
  mkdirSync(folder);
  const faults = noNzbgetFaults();
  const folders = new FinishedFolders(folder, SERVER_FOLDER);
  const jobs = new NzbgetJobs(jobDuration, faults, folders);
  const requests: RecordedCall[] = [];
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const port = await openPort(
    rpcListener({
      access: (authorization) => {
        if (authorization === basic(USERNAME, NZBGET_CANARY)) return 'all';
        return authorization === basic(ADD_ONLY.username, ADD_ONLY.password) ? 'add-only' : undefined;
      },
      call: (method, params, access) =>
        call(method, params, {
          jobs,
          folders,
          faults,
          version,
          categories: CATEGORIES,
          addOnly: access === 'add-only',
        }),
      faults: () => faults.rpc,
      record: (request) => requests.push(request),
    }),
  );
  return {
    url: port.url,
    username: USERNAME,
    password: NZBGET_CANARY,
    addOnly: ADD_ONLY,
    folder,
    serverFolder: SERVER_FOLDER,
    requests,
    faults,
    jobs,
    shut: () => port.shut(),
    open: () => port.open(),
    close: async () => {
      await port.shut();
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}
