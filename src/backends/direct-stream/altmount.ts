import * as v from 'valibot';
import { answers } from '../../diagnosis/index.ts';
import type { SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded, type HttpBody } from '../../io/http.ts';
import { type HttpAnswer } from '../../io/http-answer.ts';
import { parseJson } from '../../io/json.ts';
import { formBody } from '../../io/multipart.ts';
import { noVideoError } from '../../job-files/no-video.ts';
import type { Logger } from '../../log/index.ts';
import { wordsOf } from '../../play-address/sight.ts';
import { tellsEpisodes, withEpisodeNames } from '../nzb/episode-names.ts';
import { ALTMOUNT_API } from '../sabnzbd/server.ts';
import { jobFailed, noFailures } from '../webdav/failed-job.ts';
import { queuePaused } from '../webdav/held.ts';
import type { Share } from '../webdav/listing.ts';
import { altMountQueue, removeFromQueue } from './altmount-queue.ts';
import { checkShare, deleteLeft } from './altmount-share.ts';
import { laterIn, refusal } from './replies.ts';
import type { Asking, Order, Reply, Service } from './service.ts';
import { streamAt } from './streams.ts';
import type { Times } from './times.ts';

interface Options {
  readonly name: string;
  readonly base: string;
  readonly apiKey: string;
  readonly times: Times;
  /** Where its jobs leave files; absent: nobody may delete them. */
  readonly share: Share | undefined;
  readonly log: Logger;
}

/** `POST /api/nzb/streams` blocks until the NZB can be streamed, and then names the streams (protocols.md §8.1, §8.3). */
export function altMount({ name, base, apiKey, times, share, log }: Options): Service {
  const failures = noFailures();
  const queue = altMountQueue(base, apiKey, times);
  const post = (body: HttpBody, timeout: number, asking: Asking) =>
    fetchBounded({
      url: `${base}/api/nzb/streams`,
      who: name,
      method: 'POST',
      // As a header, so that the key is in no address and in no server's access log.
      headers: { 'x-api-key': apiKey, accept: 'application/json' },
      ...{ body, timeout, ...asking },
    });
  return {
    name,
    kind: 'altmount',
    base,
    origin: new URL(base).origin,
    namesWhenReady: true,
    ask: async (order, asking) => {
      const answer = await post(orderBody(order, times), times.block + times.upload, asking);
      const words = answer.status === 500 ? said(answer) : undefined;
      if (words !== undefined) throw jobFailed(name, words, failures);
      const reply = readReply(name, base, answer);
      const { nzb, request } = order;
      const isSilent = reply.kind === 'streams' && reply.streams.length === 0;
      // It offers no stream whose name does not tell the episode.
      if (isSilent && request.episode !== undefined && !tellsEpisodes(nzb.bytes))
        throw noVideoError({ reason: 'untold-episodes' }, 0);
      return reply;
    },
    tryOut: async (signal) => {
      const answer = await post(NO_NZB, times.request, { signal });
      if (answer.status !== 400) throw refusalIn(name, answer);
      // Nobody but AltMount objects in this form.
      if (said(answer) === undefined) throw refusalIn(name, answer);
    },
    usualPort: '8080',
    isAt: (at, probing) =>
      answers(
        { url: `${at}/api/nzb/streams`, method: 'POST', ...probing },
        (answer) => answer.status === 401 && said(answer) !== undefined,
      ),
    held: async (signal) => ((await queue.queue(signal)).paused ? queuePaused(name) : undefined),
    ...(share !== undefined && { checkBeside: (signal: AbortSignal) => checkShare(share, signal) }),
    remove: async (job, signal) => {
      const removal = await removeFromQueue(queue, job, { signal, times });
      if (share !== undefined) await deleteLeft(share, queue, job, { signal, log });
      return removal;
    },
  };
}

/** A form without the NZB: the key and the path are looked at first, then it is refused. */
const NO_NZB: HttpBody = { type: 'application/x-www-form-urlencoded', bytes: Buffer.from('category=') };

/** The file's name is the job's: AltMount takes up the job that it has under the same name instead of making another. */
function orderBody({ nzb, jobName, category, request }: Order, { block }: Times): HttpBody {
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
const Listed = v.object({ url: v.string(), title: text, name: text });
const Streams = v.object({ streams: v.nullable(v.array(v.unknown())) });

function readReply(name: string, base: string, answer: HttpAnswer): Reply {
  const later = laterIn(answer);
  if (later !== undefined) return later;
  if (answer.status !== 200) throw refusalIn(name, answer);
  const parsed = v.safeParse(Streams, parseJson(answer.text()));
  if (!parsed.success) throw notIt(name, answer);
  const listed = (parsed.output.streams ?? []).slice(0, MAX_STREAMS);
  const streams = listed.flatMap((each) => {
    const stream = v.safeParse(Listed, each);
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
function said(answer: HttpAnswer): string | undefined {
  const parsed = v.safeParse(ErrorBody, parseJson(answer.text()));
  if (!parsed.success) return undefined;
  const { message = '', details = '' } = parsed.output.error;
  return details.trim() === '' ? message : details;
}

function refusalIn(name: string, answer: HttpAnswer): SlipstreamError {
  const own = said(answer);
  return refusal({
    name,
    status: answer.status,
    words: wordsOf(own ?? answer.text()),
    isOwn: own !== undefined,
    key: `the API key from ${ALTMOUNT_API.keyPlace}`,
  });
}

const notIt = (name: string, { status }: HttpAnswer) => badAnswer(name, `no list of streams, HTTP ${status}`);
