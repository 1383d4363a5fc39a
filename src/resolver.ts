import { playUrl } from './backends/direct-stream/play-url.ts';
import { fetchNzb } from './backends/nzb/fetch.ts';
import { verifyPlayable } from './backends/verify-playable.ts';
import { resolveFirst } from './resolver/attempts.ts';
import { handOver, withdraw } from './resolver/hand-over.ts';
import { uniqueJobName } from './resolver/job-name.ts';
import { endStream, findProxy, prepareStream, updatePlan } from './resolver/prepare.ts';
import { resolveDirect, resolveRelease } from './resolver/resolve.ts';
import type { ResolverStages } from './resolver/stages.ts';
import { waitForManager } from './resolver/wait-for-manager.ts';

export {
  isSettingUp,
  isSettingUpElsewhere,
  lowerActive,
  whileSettingUp,
} from './resolver/active.ts';
export type { Choice, Choices, FoundChoice, PackChoice } from './resolver/choices.ts';
export type { ResolveContext } from './resolver/context.ts';
export { announce } from './resolver/hand-over.ts';
export { maskStreamUrl } from './resolver/masked-url.ts';
export { PendingStream, type StreamOrigin } from './resolver/pending-stream.ts';
export type { ProxyAddress } from './resolver/prepare.ts';
export { PROPERTY } from './resolver/properties.ts';
export { createRelist } from './resolver/relist.ts';
export {
  parsePlan,
  playingReleaseOf,
  type ReplacementPlan,
} from './resolver/replacement-plan.ts';
export type { PlayTarget, ResolverStages } from './resolver/stages.ts';
export {
  endStream,
  fetchNzb,
  findProxy,
  handOver,
  playUrl,
  prepareStream,
  resolveDirect,
  resolveFirst,
  resolveRelease,
  uniqueJobName,
  updatePlan,
  verifyPlayable,
  waitForManager,
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
  waitForManager,
  uniqueJobName,
  submit: (backend, nzb, jobName, request, signal) => backend.submit(nzb, jobName, request, signal),
  waitUntilReady: (backend, job, options) => backend.waitUntilReady(job, options),
  locate: (backend, job, request, signal) => backend.locate(job, request, signal),
  verifyPlayable,
  playUrl,
  prepareStream,
  updatePlan,
  endStream,
  handOver,
  withdraw,
};
