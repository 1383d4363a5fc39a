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
  /** Milliseconds for one request. NZBHydra2 and Prowlarr wait for all of their indexers: give them 45,000. */
  readonly timeout: number;
  /** Folder in which is remembered what it can be asked by. */
  readonly cacheFolder: string;
}
