import type { Check } from '../diagnosis/check.ts';
import type { HostFiles } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { SettingId, Settings } from '../settings/index.ts';

export type ServiceId =
  | 'newznab'
  | 'hydra'
  | 'prowlarr'
  | 'stremio'
  | 'tmdb'
  | 'webdav'
  | 'nzbget'
  | 'altmount'
  | 'streamnzb';

/** A service that can be set up: what has to be entered for it, and whether that works. */
export interface Service {
  readonly id: ServiceId;
  /** As people call it: "NZBHydra2". */
  readonly name: string;
  /** Products that are set up as it, other than itself: "AIOStreams". */
  readonly products?: readonly string[];
  /** What it is for, in a sentence. */
  readonly help: string;
  /** search: finds releases. play: gets them ready. extra: is of help. */
  readonly role: 'search' | 'play' | 'extra';
  /** What is asked for, in this order. Labels, help texts and secrecy stand in the settings' table. */
  readonly fields: readonly ServiceField[];
  /** What makes it the one that plays; nothing for the others. */
  readonly chosenBy: Partial<Pick<Settings, 'playback_backend' | 'direct_kind'>>;
  /** Where it mostly listens. */
  readonly usualPorts: readonly number[];
  /** Where it mostly is below the root of its port, if it can be told there by its page: "/prowlarr". */
  readonly usualPaths?: readonly string[];
  /** A key that it may give to whoever asks; absent: it never does. */
  readonly offeredKey?: OfferedKey;
  /** Whether enough is entered to try it. */
  isSetUp(settings: Settings): boolean;
  /** Tries all that it is needed for, and ends with the first thing that does not work. Rejects only on abort. */
  test(settings: Settings, context: TestContext): Promise<readonly Check[]>;
}

export interface ServiceField {
  readonly setting: SettingId;
  /** Works without: it may be empty. What has a default never is, and is not asked for. */
  readonly isOptional?: boolean;
  /** Hardly anybody needs it: setting up does not ask for it. */
  readonly isNotAsked?: true;
  /** Its default is right for most: setting up asks for it only where Enter alone keeps it, beside what is missing. */
  readonly isAskedInShell?: true;
}

export interface OfferedKey {
  /** Where it is to be stored. */
  readonly setting: SettingId;
  /** @returns undefined where it is not given at the address that is entered. Rejects only when the signal aborts */
  readonly fetch: (settings: Settings, signal: AbortSignal) => Promise<string | undefined>;
}

export interface TestContext {
  readonly files: HostFiles;
  /** Where the person's lists are kept. */
  readonly folder: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
}
