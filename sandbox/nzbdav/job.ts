export interface SandboxJob {
  /** A lower-case GUID. */
  readonly id: string;
  readonly name: string;
  /** The NZB's name as it was submitted. */
  readonly file: string;
  readonly category: string;
  readonly state: 'queued' | 'downloading' | 'completed' | 'failed';
  /** 0 to 100. */
  readonly percent: number;
  /** -100 is SABnzbd's default, 2 the highest. */
  readonly priority: number;
  /** Nobody but a person lets it go on. */
  readonly paused: boolean;
  /** How often it was held because the provider could not be had. */
  readonly holds: number;
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
