/** What a source is made of, whatever its dialect. */
export interface SourceOptions {
  /** Stable across runs and free of secrets; each posting's link carries it. */
  readonly id: string;
  /** How the person calls it. */
  readonly name: string;
  /** Where the person has set it up; absent: in the settings. */
  readonly setUpIn?: string;
  /** As entered: the base, the full path to the API, or a whole request with a key in it. */
  readonly url: string;
  /** Empty: the one in the address, if any. */
  readonly apiKey: string;
  /** Milliseconds for one request. What waits for all of its indexers needs 45,000. */
  readonly timeout: number;
  /** Folder in which is remembered what it can be asked by. */
  readonly cacheFolder: string;
}

/** The same of a manager of indexers. */
export interface ManagerOptions extends SourceOptions {
  /** Milliseconds for all queries of one indexer behind it. */
  readonly memberTimeout: number;
}
