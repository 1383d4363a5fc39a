import type { Host, ProgressDisplay } from '../host/port.ts';
import type { PlayedRelease } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import type { Choices } from '../resolver.ts';
import type { Settings } from '../settings/index.ts';
import type { Inventory } from './inventory.ts';

/** What is to be played, and what instead when that fails. It has to be closed. */
export interface Selection extends Choices {
  /** What comes first. */
  readonly chosen: Release;
  /** What would come next, as far as it is known now. */
  upcoming(): readonly Release[];
  /** As it was given, with what was looked up. */
  readonly request: MediaRequest;
  /** Other posts of a release whose NZBs could be had; known of the chosen one only. */
  reposts(of: Release): readonly Release[];
  /** Nothing has been searched for so far. */
  readonly unsearched?: true | undefined;
  /** What was found leads nowhere: the next play searches anew. */
  forget(): Promise<void>;
  /** Ends the search, which goes on for what comes instead. */
  close(): Promise<void>;
}

/** What choosing a release works with. */
export interface SelectContext {
  readonly host: Host;
  readonly progress: ProgressDisplay;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly settings: Settings;
  readonly inventory: Inventory;
  /** Do not ask. */
  readonly automatic: boolean;
  /** What was played before it in its playlist, which it should be like; absent: the person started it. */
  readonly previous?: PlayedRelease | undefined;
  /** The release that played before (ReplayRequest.release), which comes first; absent or empty: none did. */
  readonly replayedRelease?: string | undefined;
}
