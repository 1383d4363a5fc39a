import type { Logger } from '../../log/index.ts';
import type { MediaRequest } from '../../model/index.ts';
import type { Backend } from '../backend.ts';
import { readFileRange } from '../read-file-range.ts';
import { altMount } from './altmount.ts';
import { shareOf } from './altmount-share.ts';
import { type DirectStreamConfig, serviceAddress, serviceName } from './config.ts';
import { locateStream } from './locate.ts';
import { openJobs } from './open-jobs.ts';
import { startOrderCall } from './order-call.ts';
import { waitWithStallReason } from './stall-reason.ts';
import { streamNzb } from './streamnzb.ts';
import { parseOffer } from './streams.ts';
import { submitOrder } from './submit.ts';
import { testConnection } from './test-connection.ts';
import { DIRECT_STREAM_TIMINGS, type DirectStreamTimings } from './timings.ts';
import { jobLost, waitForStreams } from './wait.ts';

export type { DirectStreamConfig } from './config.ts';

/**
 * A service that answers an NZB with the address of a stream, which the proxy opens, or the media centre. It keeps no list of jobs: a job
 * is known to the process that has submitted it, and to no other.
 * @throws INVALID_REQUEST when the address is none
 */
export function directStreamBackend(
  config: DirectStreamConfig,
  log: Logger,
  times: DirectStreamTimings = DIRECT_STREAM_TIMINGS,
): Backend {
  const name = serviceName(config);
  const base = serviceAddress(config);
  const open = config.kind === 'altmount' ? altMount : streamNzb;
  const share = shareOf(config, { name, base, times });
  const service = open({ name, base, apiKey: config.apiKey, times, share, log });
  const jobs = openJobs((order) => startOrderCall(service, order, { times, log }));
  const categoryOf = ({ kind }: MediaRequest) =>
    (kind === 'movie' ? config.movieCategory : config.tvCategory) ?? '';
  return {
    name,
    via: config.via,
    hasNoJobList: true,
    identity: `direct ${service.origin}`,
    categoryOf,
    test: (signal) => testConnection(service, times, signal),
    finishedJobs: () => Promise.resolve([]),
    preflight: (signal) => service.testOrder(signal),
    submit: (nzb, jobName, request, signal) =>
      submitOrder(name, jobs, { nzb, jobName, request, category: categoryOf(request) }, signal),
    waitUntilReady: async (job, options) => {
      const known = jobs.get(job.name);
      if (known === undefined) throw jobLost(name);
      const circumstances = { via: config.via, times, log };
      const finished = await waitWithStallReason({ service, times, log }, options, (telling) =>
        waitForStreams(service, known, telling, circumstances),
      );
      // The NZB is of no use any more, and may be large.
      jobs.close(job.name);
      return finished;
    },
    locate: (job, request, signal) =>
      locateStream(service, job, request, { via: config.via, signal, times, log }),
    read: (file, range, signal) => {
      const headers = file.via === 'proxy' ? file.headers : {};
      const { url, size } = file;
      return readFileRange({ url, size, headers, who: name, timeout: times.read, signal }, range);
    },
    explain: async (failure, { storage }, signal) => {
      const [stream] = parseOffer(storage).streams;
      return (stream && (await service.explain?.(failure, stream, signal))) ?? failure;
    },
    remove: async (job, signal) => {
      // That it is broken off here says nothing of what the service has made of it, or will.
      jobs.close(job.name);
      signal.throwIfAborted();
      return await service.remove(job, signal);
    },
  };
}
