import type { Backend, FinishedJob, Nzb, WaitOptions } from './backends/backend.ts';
import { playUrl } from './backends/direct-stream/play-url.ts';
import { fetchNzb } from './backends/nzb/fetch.ts';
import { proveReady } from './backends/readiness.ts';
import type { Job, MediaRequest } from './model/index.ts';
import { resolveFirst } from './resolver/attempts.ts';
import { handOver, withdraw } from './resolver/hand-over.ts';
import { uniqueJobName } from './resolver/job-name.ts';
import { untilBack } from './resolver/manager-away.ts';
import { endStream, findProxy, leavePlan, prepareStream } from './resolver/prepare.ts';
import { resolveDirect, resolveRelease } from './resolver/resolve.ts';

export { isSettingUp, isSetUpElsewhere, lowerActive, settingUp } from './resolver/active.ts';
export { announced, isOwnStream } from './resolver/announced.ts';
export type { Choice, Choices } from './resolver/choices.ts';
export { announce, handOver, type Outlet, withdraw } from './resolver/hand-over.ts';
export { uniqueJobName } from './resolver/job-name.ts';
export { orDiscard, type PendingStream, type StreamOrigin } from './resolver/pending.ts';
export { type Plan, playingOf, readPlan } from './resolver/plan.ts';
export { findProxy, type ProxyAddress, prepareStream } from './resolver/prepare.ts';
export { PROPERTY } from './resolver/properties.ts';
export { relister } from './resolver/relist.ts';
export { type ResolveContext, resolveDirect, resolveRelease } from './resolver/resolve.ts';

/**
 * The façade of the second half of the pipeline. The stages hand this one object on to each other, so what a test
 * replaces here is what the pipeline uses.
 */
export const resolver = {
  resolveFirst,
  resolveRelease,
  resolveDirect,
  findProxy,
  fetchNzb,
  untilBack,
  uniqueJobName,
  submit: (backend: Backend, nzb: Nzb, jobName: string, request: MediaRequest, signal: AbortSignal) =>
    backend.submit(nzb, jobName, request, signal),
  waitUntilReady: (backend: Backend, job: Job, options: WaitOptions) => backend.waitUntilReady(job, options),
  locate: (backend: Backend, job: FinishedJob, request: MediaRequest, signal: AbortSignal) =>
    backend.locate(job, request, signal),
  proveReady,
  playUrl,
  prepareStream,
  leavePlan,
  endStream,
  handOver,
  withdraw,
};

export type Resolver = typeof resolver;
