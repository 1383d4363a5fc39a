import type { Faults } from '../faults.ts';
import type { Dialect } from './dialect.ts';
import type { JobStore } from './jobs.ts';

export interface ApiOptions {
  readonly apiKey: string;
  readonly username: string;
  readonly dialect: Dialect;
  readonly jobs: JobStore;
  readonly faults: Faults;
  /** Origins by hosts that are known where the server runs, and nowhere else. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** A parameter of the query or, failing that, of the form; an empty one counts as absent. */
export type Params = (name: string) => string | undefined;
