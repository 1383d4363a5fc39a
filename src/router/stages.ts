import type { playbackBackend } from '../connections/backends.ts';
import type { Host } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { PlayTarget, ResolverStages } from '../resolver.ts';
import type { SelectionStages } from '../selection/stages.ts';
import type { Entry, PlayEntry, parsePluginEntry, parseScriptEntry } from './entry.ts';
import type { runAction, runFirstRun } from './lazy-setup.ts';
import type { PendingPlay } from './pending-play.ts';

/**
 * The stages of the first half of the pipeline: from a call of the media centre to a stream that can be handed over.
 * Each stage calls the others through the object that it is given, so that what a test replaces in it is what runs. The
 * façade (src/router.ts) composes them; each is documented where it is implemented.
 */
export interface RouterStages extends SelectionStages {
  parsePluginEntry: typeof parsePluginEntry;
  parseScriptEntry: typeof parseScriptEntry;
  /** Runs one entry to its end and answers for it: router/route.ts. */
  route: (
    parse: () => Entry,
    outlet: PlayTarget,
    host: Host,
    log: Logger,
    stages: RouterStages,
  ) => Promise<boolean>;
  runAction: typeof runAction;
  runFirstRun: typeof runFirstRun;
  /** Entry → what to play: router/play.ts. */
  playEntry: (entry: PlayEntry, host: Host, log: Logger, stages: PlayStages) => Promise<PendingPlay>;
  playbackBackend: typeof playbackBackend;
  resolver: ResolverStages;
}

/** What a play goes through: router/play.ts and what it calls. */
export type PlayStages = SelectionStages & Pick<RouterStages, 'playbackBackend' | 'resolver'>;
