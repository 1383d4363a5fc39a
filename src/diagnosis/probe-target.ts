import type { ProbeOptions } from './probe.ts';

/**
 * Why a service does not answer as it should: what was entered is tried again with one thing changed, and where that
 * answers, that is the mistake. Else whoever answers there may say who it is.
 */
export interface ProbeTarget {
  /** As messages begin: "The indexer Example", "NZBHydra2". */
  readonly label: string;
  /** What it may call itself; the first is what it is called where somebody else answers in its place. Default: `it`. */
  readonly names?: readonly [string, ...string[]];
  /** Where its address stands, for "Enter … as …": "the nzbdav address", as its setting is called. */
  readonly settingLabel: string;
  /** Below which it was looked for, without credentials. */
  readonly enteredUrl: string;
  readonly usualPorts: readonly string[];
  /** Where it mostly is behind a reverse proxy: "/nzbhydra2". */
  readonly usualPaths: readonly string[];
  /** Tried after the other scheme and before all others. */
  readonly likelyVariant?: Variant;
  /** It is no server of the person's own. */
  readonly isThirdParty?: boolean;
  /** Older versions of it do not have what was looked for. */
  readonly mayBeOld?: boolean;
  /** Whether it answers below this address. Nothing that is secret may be sent there. */
  readonly isAt: (base: string, probing: ProbeOptions) => Promise<boolean>;
}

/** What was entered, with one thing changed. */
export interface Variant {
  readonly url: string;
  /** port: of the same machine, or the machine itself. */
  readonly mistake: 'scheme' | 'path' | 'port';
}

/** As people write it: "nas:9696". */
export function hostAndPort(address: string): string {
  const { hostname, port } = new URL(address);
  return `${hostname}${port === '' ? '' : `:${port}`}`;
}
