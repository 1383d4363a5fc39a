import type { ServiceId } from '../connections/service.ts';
import type { Host } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest } from '../model/index.ts';

/** What can be done beside playing; also the last part of its route: plugin://…/setup/phone. */
export const ACTIONS = [
  'first-run',
  'phone',
  'test',
  'indexers',
  'mappings',
  'order',
  'formats',
  'player-file',
  'failure',
  'report',
  'settings',
] as const;

export type Action = (typeof ACTIONS)[number];

/** `/setup/<action>?service=…&back=…` */
export interface ActionRequest {
  readonly action: Action;
  /** The one to be tested; absent: all that are set up. */
  readonly service?: ServiceId;
  /** The page of the settings that it was called from, and that opens again afterwards. */
  readonly back?: string;
}

export interface SetupContext {
  readonly host: Host;
  readonly log: Logger;
  /** Aborts when the host wants us gone. */
  readonly signal: AbortSignal;
  /**
   * Plays a film's best release by the whole pipeline. What it fails of is kept (library), to be shown, or told where it
   * cannot be kept; that it was cancelled is told.
   *
   * @returns whether the player got something
   */
  readonly play: (request: MediaRequest) => Promise<boolean>;
}
