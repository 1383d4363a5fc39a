import { playUrl } from './backends/direct-stream/play-url.ts';
import { fetchNzb } from './backends/nzb/fetch.ts';
import { proveReady } from './backends/readiness.ts';
import { resolveFirst } from './resolver/attempts.ts';
import { handOver, withdraw } from './resolver/hand-over.ts';
import { uniqueJobName } from './resolver/job-name.ts';
import { untilBack } from './resolver/manager-away.ts';
import { endStream, findProxy, leavePlan, prepareStream } from './resolver/prepare.ts';
import { resolveDirect, resolveRelease } from './resolver/resolve.ts';
import type { ResolverStages } from './resolver/stages.ts';

export { isSettingUp, isSetUpElsewhere, lowerActive, settingUp } from './resolver/active.ts';
export { announced, isOwnStream } from './resolver/announced.ts';
export type { Choice, Choices, FoundChoice, PackChoice } from './resolver/choices.ts';
export type { ResolveContext } from './resolver/context.ts';
export { announce } from './resolver/hand-over.ts';
export { PendingStream, type StreamOrigin } from './resolver/pending-stream.ts';
export { type Plan, playingOf, readPlan } from './resolver/plan.ts';
export type { ProxyAddress } from './resolver/prepare.ts';
export { PROPERTY } from './resolver/properties.ts';
export { relister } from './resolver/relist.ts';
export type { Outlet, ResolverStages } from './resolver/stages.ts';
export {
  endStream,
  fetchNzb,
  findProxy,
  handOver,
  leavePlan,
  playUrl,
  prepareStream,
  proveReady,
  resolveDirect,
  resolveFirst,
  resolveRelease,
  uniqueJobName,
  untilBack,
  withdraw,
};

/**
 * The façade of the second half of the pipeline. The stages hand this one object on to each other, so what a test
 * replaces here is what the pipeline uses.
 */
export const resolver: ResolverStages = {
  resolveFirst,
  resolveRelease,
  resolveDirect,
  findProxy,
  fetchNzb,
  untilBack,
  uniqueJobName,
  submit: (backend, nzb, jobName, request, signal) => backend.submit(nzb, jobName, request, signal),
  waitUntilReady: (backend, job, options) => backend.waitUntilReady(job, options),
  locate: (backend, job, request, signal) => backend.locate(job, request, signal),
  proveReady,
  playUrl,
  prepareStream,
  leavePlan,
  endStream,
  handOver,
  withdraw,
};
