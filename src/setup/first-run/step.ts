import type { ServiceId } from '../../connections/service.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { SetupContext } from '../action.ts';
import type { FoundService, ScanTargets } from '../discovery/index.ts';
import type { TestedService } from '../testing/test-all.ts';

/** A step's place in the list of steps, and in what is kept of an unfinished set-up: never renamed. */
export const STEP_IDS = [
  'intro',
  'search-service',
  'search-values',
  'search-test',
  'play-service',
  'play-values',
  'play-test',
  'all-test',
  'result',
  'player-file',
  'play',
] as const;
export type StepId = (typeof STEP_IDS)[number];

/** Where a step leads: to the next one, the one before, another one; or out of the set-up, unfinished. */
export type StepOutcome = 'next' | 'back' | 'leave' | { readonly goTo: StepId };

/** The side of the pipeline that a service is for. */
export type Side = 'search' | 'play';

/** A set-up under way. */
export interface SetupRun {
  readonly context: SetupContext;
  /** Nothing was set up when it began, and no set-up was left. */
  readonly isNew: boolean;
  /** A set-up was gone through before, or done elsewhere. */
  readonly wasFinished: boolean;
  /** All that was entered for each thing, as Testable.entered, when it began with a finished one. */
  readonly enteredBefore: ReadonlySet<string>;
  /** A film waits to be played when this has finished, so none need be played for a test. */
  readonly filmWaits: boolean;
  /** The services that the person has chosen so far; "none" where nothing of that side is needed. */
  chosen: Readonly<Partial<Record<Side, ServiceId | 'none'>>>;
  /** Where an earlier set-up was left. */
  readonly leftState?: Pick<Step, 'id' | 'label'>;
  /** The person wants a phone for it, and nothing else was asked. */
  readonly beginsWithPhone: boolean;
  /** The services were chosen on a phone: what is chosen is not asked again. */
  isChosenElsewhere: boolean;
  /** Milliseconds for the test of each thing, when everything is tested. */
  readonly testTimeout: number;
  /** Where to look for services; absent: in the local network. */
  readonly scanTargets?: ScanTargets;
  /** The services that were found there, for all questions that follow. */
  foundServices: readonly FoundService[];
  /** What came of the test of everything that is set up. */
  tested?: readonly TestedService[] | undefined;
  /** The title that was found, for the last step. */
  foundTitle?: MediaRequest | undefined;
}

export interface Step {
  readonly id: StepId;
  /** What it is about: "What searches". */
  readonly label: string;
  /** It asks only when something is wrong, so going back goes past it. */
  readonly isQuiet?: boolean;
  /** Whether there is anything to do here; absent: always. */
  readonly isNeeded?: (run: SetupRun) => Promise<boolean>;
  /** @param cameBack The person has gone back to it, and so wants to change something. */
  readonly run: (run: SetupRun, cameBack: boolean) => Promise<StepOutcome>;
}
