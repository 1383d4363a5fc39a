import type { Backend, FinishedJob, Located, Nzb, WaitOptions } from '../backends/backend.ts';
import type { playUrl } from '../backends/direct-stream/play-url.ts';
import type { fetchNzb } from '../backends/nzb/fetch.ts';
import type { verifyPlayable } from '../backends/verify-playable.ts';
import type { Host, PlayItem, Properties } from '../host/port.ts';
import type { Job, MediaRequest, Playable } from '../model/index.ts';
import type { Choice, Choices } from './choices.ts';
import type { ResolveContext } from './context.ts';
import type { uniqueJobName } from './job-name.ts';
import type { PendingStream } from './pending-stream.ts';
import type { endStream, findProxy, prepareStream, updatePlan } from './prepare.ts';
import type { waitForManager } from './wait-for-manager.ts';

/** Where a stream goes: the resolve that the media centre waits for, or its player directly. */
export type PlayTarget = 'resolve' | 'player';

/**
 * The stages of the second half of the pipeline: from a chosen release to a stream that the media centre plays. Each
 * stage calls the others through the object that it is given, so that what a test replaces in it is what runs. The
 * façade (src/resolver.ts) composes them; each is documented where it is implemented.
 */
export interface ResolverStages {
  /** Plays the first of the choices that can be played: resolver/attempts.ts. */
  resolveFirst: (
    choices: Choices,
    request: MediaRequest,
    context: ResolveContext & { readonly attempts: number },
    stages: ReleaseStages & Pick<ResolverStages, 'resolveRelease'>,
  ) => Promise<PendingStream>;
  /** Release → what the player opens: resolver/resolve.ts. */
  resolveRelease: (
    choice: Choice,
    request: MediaRequest,
    context: ResolveContext,
    stages: ReleaseStages,
  ) => Promise<PendingStream>;
  /** A bare URL → what the player opens: resolver/resolve.ts. */
  resolveDirect: (
    playable: Playable,
    context: Pick<ResolveContext, 'properties' | 'progress' | 'signal' | 'log'>,
    stages: StreamStages,
  ) => Promise<PendingStream>;
  findProxy: typeof findProxy;
  fetchNzb: typeof fetchNzb;
  waitForManager: typeof waitForManager;
  uniqueJobName: typeof uniqueJobName;
  /** As Backend.submit. */
  submit: (
    backend: Backend,
    nzb: Nzb,
    jobName: string,
    request: MediaRequest,
    signal: AbortSignal,
  ) => Promise<Job>;
  /** As Backend.waitUntilReady. */
  waitUntilReady: (backend: Backend, job: Job, options: WaitOptions) => Promise<FinishedJob>;
  /** As Backend.locate. */
  locate: (
    backend: Backend,
    job: FinishedJob,
    request: MediaRequest,
    signal: AbortSignal,
  ) => Promise<Located>;
  verifyPlayable: typeof verifyPlayable;
  playUrl: typeof playUrl;
  prepareStream: typeof prepareStream;
  updatePlan: typeof updatePlan;
  endStream: typeof endStream;
  /** Announces a stream to the service and gives it to the media centre: resolver/hand-over.ts. */
  handOver: (
    item: PlayItem,
    outlet: PlayTarget,
    host: Host,
    stages: Pick<ResolverStages, 'withdraw'>,
  ) => Promise<void>;
  /** Takes an announcement back: resolver/hand-over.ts. */
  withdraw: (streamUrl: string, properties: Properties) => Promise<void>;
}

/** What opens a file that was found: resolver/open-stream.ts. */
export type StreamStages = Pick<ResolverStages, 'findProxy' | 'prepareStream' | 'updatePlan' | 'endStream'>;

/** What turns one release into a stream: resolver/resolve.ts and what it calls. */
export type ReleaseStages = StreamStages &
  Pick<
    ResolverStages,
    | 'fetchNzb'
    | 'waitForManager'
    | 'uniqueJobName'
    | 'submit'
    | 'waitUntilReady'
    | 'locate'
    | 'verifyPlayable'
    | 'playUrl'
  >;
