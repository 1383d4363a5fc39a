/** Where one kind of server differs from the others in its SABnzbd-compatible API (protocols.md §1, §2.10, §3). */
export interface SabDialect {
  /** What messages call the server. */
  readonly name: string;
  /** Where its API answers, below the address that the person gave. */
  readonly apiPath: '/api' | '/sabnzbd/api';
  /** nzbdav takes the key as a header, which no access log shows; the others know it as a parameter only. */
  readonly keyIn: 'header' | 'query';
  /** Where its owner finds the key; ends "Copy it from …". */
  readonly keyLocation: string;
  /** Sent beside an NZB of that job name. */
  readonly addFileParams: (jobName: string) => Readonly<Record<string, string>>;
  /** Sent beside an NZB that is to be done before what waits; empty where nothing shortens its wait. */
  readonly priorityParams: Readonly<Record<string, string>>;
  /** Sent with a deletion so that the files go as well. */
  readonly deleteParams: Readonly<Record<string, string>>;
  /** The queue's percentages are measured, not a placeholder. */
  readonly hasPercent: boolean;
  /** `mode=warnings` tells why a job waits, and further calls which providers are set up (protocols.md §1.3, §2.8). */
  readonly hasWarnings: boolean;
  /** It replaces names that it takes for obfuscated by the job's. */
  readonly replacesObfuscatedNames: boolean;
}

/** AltMount's (protocols.md §2.10). */
export const ALTMOUNT_API: SabDialect = {
  name: 'AltMount',
  apiPath: '/sabnzbd/api',
  keyIn: 'query',
  keyLocation: 'the page of your user in AltMount',
  // The job's id is then its name: a submission that was not answered cannot become a second job.
  addFileParams: (nzbname) => ({ nzbname }),
  // It begins jobs by a clock of its own, whatever their priority.
  priorityParams: {},
  // It reads the id and nothing else.
  deleteParams: {},
  hasPercent: false,
  hasWarnings: false,
  replacesObfuscatedNames: true,
};

/** A server with such an API, as far as it is known. */
export interface SabServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly apiKey: string;
  readonly dialect: SabDialect;
  /** Nothing is left to find out. */
  readonly isKnown: boolean;
  /** Its address tells that it is not what it is taken for. */
  readonly isUncertain: boolean;
  /** What it answers fits. */
  confirm(): void;
  /** Its lists tell what the fork's do and nzbdav's do not: when jobs were finished, and a speed (protocols.md §1.5, §1.6). */
  hasExtendedLists(): void;
  /**
   * Asks it what it is. @returns whether it wants to be asked otherwise than it was, so that it cannot have done what it
   * was asked before
   */
  detect(signal: AbortSignal): Promise<boolean>;
}

/** One whose kind the settings tell. */
export const knownServer = (url: string, apiKey: string, dialect: SabDialect): SabServer => ({
  url,
  apiKey,
  dialect,
  isKnown: true,
  isUncertain: false,
  confirm: () => undefined,
  hasExtendedLists: () => undefined,
  detect: () => Promise.resolve(false),
});
