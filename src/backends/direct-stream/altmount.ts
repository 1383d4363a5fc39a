import * as v from 'valibot';
import { probeMatches } from '../../diagnosis/index.ts';
import type { SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded, type HttpBody } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { parseJson } from '../../io/json.ts';
import { formBody } from '../../io/multipart.ts';
import { noVideoError } from '../../job-files/no-video.ts';
import type { Logger } from '../../log/index.ts';
import { errorTextOf } from '../../play-address/probe-result.ts';
import { namesEpisodes, withEpisodeNames } from '../nzb/episode-names.ts';
import { ALTMOUNT_API } from '../sabnzbd/server.ts';
import type { DavShare } from '../webdav/dav-client.ts';
import { jobFailed, newPlayFailures } from '../webdav/failed-job.ts';
import { queuePausedText } from '../webdav/stall-reason.ts';
import { altMountQueue, removeFromQueue } from './altmount-queue.ts';
import { checkShare, deleteLeftovers } from './altmount-share.ts';
import { orderRefusal, retryDelayOf } from './replies.ts';
import type { Order, OrderReply, SendOptions, StreamService } from './service.ts';
import { streamAt } from './streams.ts';
import type { DirectStreamTimings } from './timings.ts';

interface Options {
  readonly name: string;
  readonly base: string;
  readonly apiKey: string;
  readonly times: DirectStreamTimings;
  /** Where its jobs leave files; absent: nobody may delete them. */
  readonly share: DavShare | undefined;
  readonly log: Logger;
}

/** `POST /api/nzb/streams` blocks until the NZB can be streamed, and then names the streams (protocols.md §8.1, §8.3). */
export function altMount({ name, base, apiKey, times, share, log }: Options): StreamService {
  const failures = newPlayFailures();
  const queue = altMountQueue(base, apiKey, times);
  const post = (body: HttpBody, timeout: number, asking: SendOptions) =>
    fetchBounded({
      url: `${base}/api/nzb/streams`,
      who: name,
      method: 'POST',
      // As a header, so that the key is in no address and in no server's access log.
      headers: { 'x-api-key': apiKey, accept: 'application/json' },
      body,
      timeout,
      ...asking,
    });
  return {
    name,
    kind: 'altmount',
    base,
    origin: new URL(base).origin,
    namesWhenReady: true,
    send: async (order, asking) => {
      const answer = await post(orderBody(order, times), times.block + times.upload, asking);
      const words = answer.status === 500 ? errorText(answer) : undefined;
      if (words !== undefined) throw jobFailed(name, words, failures);
      const reply = readReply(name, base, answer);
      const { nzb, request } = order;
      const isSilent = reply.kind === 'streams' && reply.streams.length === 0;
      // It offers no stream whose name does not tell the episode.
      if (isSilent && request.episode !== undefined && !namesEpisodes(nzb.bytes))
        throw noVideoError({ reason: 'untold-episodes' }, 0);
      return reply;
    },
    testOrder: async (signal) => {
      const answer = await post(NO_NZB, times.request, { signal });
      if (answer.status !== 400) throw refusalIn(name, answer);
      // Nobody but AltMount objects in this form.
      if (errorText(answer) === undefined) throw refusalIn(name, answer);
    },
    usualPort: '8080',
    isAt: (at, probing) =>
      probeMatches(
        { url: `${at}/api/nzb/streams`, method: 'POST', ...probing },
        (answer) => answer.status === 401 && errorText(answer) !== undefined,
      ),
    stallReason: async (signal) => ((await queue.queue(signal)).paused ? queuePausedText(name) : undefined),
    ...(share !== undefined && { testExtras: (signal: AbortSignal) => checkShare(share, signal) }),
    remove: async (job, signal) => {
      const removal = await removeFromQueue(queue, job, { signal, times });
      if (share !== undefined) await deleteLeftovers(share, queue, job, { signal, log });
      return removal;
    },
  };
}

/** A form without the NZB: the key and the path are looked at first, then it is refused. */
const NO_NZB: HttpBody = { type: 'application/x-www-form-urlencoded', bytes: Buffer.from('category=') };

/** The file's name is the job's: AltMount takes up the job that it has under the same name instead of making another. */
function orderBody({ nzb, jobName, category, request }: Order, { block }: DirectStreamTimings): HttpBody {
  const { episode } = request;
  const bytes = withEpisodeNames(nzb.bytes, request);
  return formBody(
    { field: 'file', fileName: `${jobName}.nzb`, type: 'application/x-nzb', bytes },
    {
      ...(category !== '' && { category }),
      ...(episode !== undefined && { season: String(episode.season), episode: String(episode.episode) }),
      timeout: String(Math.ceil(block / 1000)),
    },
  );
}

/** A season has a few dozen files, each of which may be listed. */
const MAX_STREAMS = 1_000;
const text = v.fallback(v.optional(v.string()), undefined);
const ListedStream = v.object({ url: v.string(), title: text, name: text });
const Streams = v.object({ streams: v.nullable(v.array(v.unknown())) });

function readReply(name: string, base: string, answer: HttpResponse): OrderReply {
  const later = retryDelayOf(answer);
  if (later !== undefined) return later;
  if (answer.status !== 200) throw refusalIn(name, answer);
  const parsed = v.safeParse(Streams, parseJson(answer.text()));
  if (!parsed.success) throw wrongServiceError(name, answer);
  const listed = (parsed.output.streams ?? []).slice(0, MAX_STREAMS);
  const streams = listed.flatMap((each) => {
    const stream = v.safeParse(ListedStream, each);
    if (!stream.success) return [];
    const { url, title, name: label } = stream.output;
    return streamAt(url, base, [title ?? '', label ?? '']) ?? [];
  });
  if (streams.length < listed.length && streams.length === 0)
    throw badAnswer(name, 'streams without an address');
  return { kind: 'streams', streams };
}

const ErrorBody = v.object({ error: v.object({ message: text, details: text }) });

/** AltMount's own words, the reason rather than the headline; undefined when it is somebody else who speaks. */
function errorText(answer: HttpResponse): string | undefined {
  const parsed = v.safeParse(ErrorBody, parseJson(answer.text()));
  if (!parsed.success) return undefined;
  const { message = '', details = '' } = parsed.output.error;
  return details.trim() === '' ? message : details;
}

function refusalIn(name: string, answer: HttpResponse): SlipstreamError {
  const own = errorText(answer);
  return orderRefusal({
    name,
    status: answer.status,
    words: errorTextOf(own ?? answer.text()),
    isOwn: own !== undefined,
    key: `the API key from ${ALTMOUNT_API.keyLocation}`,
  });
}

const wrongServiceError = (name: string, { status }: HttpResponse) =>
  badAnswer(name, `no list of streams, HTTP ${status}`);
