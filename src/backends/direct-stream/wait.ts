import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import { deadlineSignal, unlessAborted } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import type { Playable } from '../../model/index.ts';
import { type AddressAttempt, openFirst } from '../../play-address/open-first.ts';
import type { FinishedJob, WaitOptions } from '../backend.ts';
import { jobTimeoutError } from '../job/poll-job.ts';
import type { OpenJob } from './open-jobs.ts';
import { openWhenReady } from './open-when-ready.ts';
import type { StreamService } from './service.ts';
import { type Stream, type StreamOffer, serializeOffer } from './streams.ts';
import { expectedOf } from './stub.ts';
import type { DirectStreamTimings } from './timings.ts';

interface WaitContext {
  /** Who opens the stream: what the proxy opens, it opens once, and waits for. */
  readonly via: Playable['via'];
  readonly signal: AbortSignal;
  readonly times: DirectStreamTimings;
  readonly log: Logger;
}

/**
 * Waits for the service's answer, and then for the stream itself where that is what blocks. Whatever ends it early
 * breaks off what is under way.
 * @throws as Backend.waitUntilReady, and what the service's last answer was
 */
export async function waitForStreams(
  service: StreamService,
  job: OpenJob,
  { signal, timeout, onProgress }: WaitOptions,
  { via, times, log }: Omit<WaitContext, 'signal'>,
): Promise<FinishedJob> {
  signal.throwIfAborted();
  const { nzb, request, jobName, category } = job.order;
  const until = performance.now() + timeout;
  const limit = deadlineSignal(signal, timeout, () => jobTimeoutError(service.name, timeout));
  try {
    const call = job.call();
    // A service that names its streams only when they are ready is at work until then; the other one opens them now.
    onProgress({ stage: service.namesWhenReady ? 'downloading' : 'opening' });
    const streams = await unlessAborted(call.streams, limit.signal);
    let offer: StreamOffer = { streams };
    if (!service.namesWhenReady && via === 'proxy') offer = { streams, wait: until - performance.now() };
    else if (!service.namesWhenReady) {
      onProgress({ stage: 'verifying' });
      offer = await firstReady(service, streams, { signal: limit.signal, times, log });
    }
    onProgress({ stage: 'ready', percent: 100 });
    const { holdsMore } = expectedOf(nzb.release, request);
    const storage = serializeOffer({ ...offer, ...(holdsMore === true && { holdsMore }) });
    return { id: jobName, name: jobName, category, storage };
  } catch (error) {
    job.abort();
    throw asFailure(error);
  } finally {
    limit.done();
  }
}

/** The first of these alternatives that can be opened; one that is given its time may block for as long as the signal allows. */
async function firstReady(
  service: StreamService,
  streams: readonly Stream[],
  { signal, times, log }: Omit<WaitContext, 'via'>,
): Promise<StreamOffer> {
  const { name: who } = service;
  const [first, ...others] = streams;
  if (first === undefined) throw jobLost(who);
  const open = async ({ url, isPatient, isFinal }: AddressAttempt): Promise<StreamOffer> => {
    const silence = isPatient ? times.maxSilence : 0;
    const opened = await openWhenReady(
      { url, who, signal },
      {
        times,
        log,
        maxSilence: silence,
        blocks: isPatient,
        usenet: true,
        ...(isFinal !== undefined && { isFinal }),
      },
    );
    return { streams: streams.filter((each) => each.url === url), opened };
  };
  const onLeft = (error: SlipstreamError) => {
    signal.throwIfAborted();
    log.info(`${who}: another address of the stream is tried: ${error.message}`);
  };
  try {
    return await openFirst([first.url, ...others.map(({ url }) => url)], open, onLeft);
  } catch (error) {
    signal.throwIfAborted();
    throw (await service.explain?.(asSlipstreamError(error), first, signal)) ?? error;
  }
}

/** What is refused only after a while was taken all the same, and has failed. */
function asFailure(error: unknown): unknown {
  if (!(error instanceof SlipstreamError) || error.code !== 'SUBMIT_REFUSED') return error;
  return new SlipstreamError('JOB_FAILED', error.explanation, { cause: error, detail: error.message });
}

export const jobLost = (name: string): SlipstreamError =>
  new SlipstreamError('JOB_FAILED', {
    what: `${name} no longer knows the job: it was broken off.`,
    next: 'Start it again.',
  });
