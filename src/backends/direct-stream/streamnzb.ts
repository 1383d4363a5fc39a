import * as v from 'valibot';
import { probeMatches } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded, type HttpBody } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { parseJson } from '../../io/json.ts';
import { formBody } from '../../io/multipart.ts';
import { errorTextOf } from '../../play-address/probe-result.ts';
import { keepFiles } from '../nzb/write.ts';
import { orderRefusal, retryDelayOf } from './replies.ts';
import type { Order, OrderReply, SendOptions, StreamService } from './service.ts';
import { explainPlayFailure } from './streamnzb-attempts.ts';
import { isStreamNzb, nzbSupportProblem } from './streamnzb-version.ts';
import { streamAt } from './streams.ts';
import { expectedOf } from './stub.ts';
import type { DirectStreamTimings } from './timings.ts';

interface Options {
  readonly name: string;
  readonly base: string;
  readonly apiKey: string;
  readonly times: DirectStreamTimings;
}

/** `POST /api/play/nzb` answers at once with an address, which blocks until it can be streamed (protocols.md §8.1). */
export function streamNzb({ name, base, apiKey, times }: Options): StreamService {
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };
  const post = async (body: HttpBody, timeout: number, asking: SendOptions) => {
    const url = `${base}/api/play/nzb`;
    const answer = await fetchBounded({ url, who: name, method: 'POST', headers, body, timeout, ...asking });
    const isAbsent = answer.status === 404 || answer.status === 405;
    const lacking = isAbsent
      ? await nzbSupportProblem(base, { signal: asking.signal, timeout: times.request })
      : undefined;
    if (lacking !== undefined) throw lacking;
    return answer;
  };
  const read = (signal: AbortSignal) => (path: string) =>
    fetchBounded({ url: `${base}${path}`, who: name, headers, timeout: times.request, signal });
  return {
    name,
    kind: 'streamnzb',
    base,
    origin: new URL(base).origin,
    namesWhenReady: false,
    send: async (order, asking) =>
      readReply(name, base, await post(orderBody(name, order), times.request + times.upload, asking)),
    testOrder: async (signal) => {
      const answer = await post(NO_NZB, times.request, { signal });
      if (answer.status < 400) throw badAnswer(name, `no refusal of an empty order, HTTP ${answer.status}`);
      // It speaks in plain words: a page is of whatever stands in front of it.
      if (/^\s*</.test(answer.text())) throw badAnswer(name, `a page, HTTP ${answer.status}`);
      const objection = refusalIn(name, answer);
      if (objection.code !== 'SUBMIT_REFUSED') throw objection;
    },
    usualPort: '7000',
    isAt: async (at, probing) =>
      (await isStreamNzb(at, probing)) ||
      (await probeMatches(
        { url: `${at}/api/play/nzb`, method: 'POST', ...probing },
        (answer) => answer.status === 401 && UNAUTHORIZED.test(answer.text().slice(0, 100)),
      )),
    explain: (failure, { url }, signal) =>
      explainPlayFailure(failure, new URL(url).pathname.split('/').at(-1) ?? '', read(signal), signal),
    // A session is all that there is, and it ends by itself.
    remove: () => Promise.resolve('absent'),
  };
}

/** In plain words, or in JSON (protocols.md §8.11). */
const UNAUTHORIZED = /^\W*(?:error\W+)?unauthorized\W*$/i;

const NO_NZB: HttpBody = { type: 'application/json', bytes: Buffer.from('{}') };

const orderBody = (name: string, { jobName, ...order }: Order): HttpBody => {
  const bytes = nzbForRequest(name, order);
  return formBody({ field: 'file', fileName: `${jobName}.nzb`, type: 'application/x-nzb', bytes });
};

/** It takes no number of an episode: of a pack it is given the files of that one alone. @throws SUBMIT_REFUSED where no name tells */
function nzbForRequest(
  name: string,
  { nzb, request }: Pick<Order, 'nzb' | 'request'>,
): Uint8Array<ArrayBuffer> {
  const { bytes, release, episodeFiles } = nzb;
  if (episodeFiles !== undefined) return keepFiles(bytes, episodeFiles);
  if (expectedOf(release, request).holdsMore !== true) return bytes;
  throw new SlipstreamError('SUBMIT_REFUSED', {
    what: `${name} cannot be told which episode of a pack to play, and no name in this one tells.`,
    next: 'Try a release of this episode alone.',
  });
}

const text = v.fallback(v.optional(v.string()), undefined);
const Session = v.object({ external_play_url: text, play_path: text, play_url: text });

/**
 * The path at the address that has just answered comes first: that of the address for the outside may be known to the
 * service's own network alone, and who asks there may get no answer at all. Where only the API is let through to us, the
 * outside is the way.
 */
function readReply(name: string, base: string, answer: HttpResponse): OrderReply {
  const later = retryDelayOf(answer);
  if (later !== undefined) return later;
  if (answer.status !== 200 && answer.status !== 201) throw refusalIn(name, answer);
  const parsed = v.safeParse(Session, parseJson(answer.text()));
  if (!parsed.success) throw badAnswer(name, `no session, HTTP ${answer.status}`);
  const { external_play_url, play_path, play_url } = parsed.output;
  const streams = [belowBase(play_path), belowBase(play_url), external_play_url ?? '']
    .flatMap((address) => streamAt(address, base) ?? [])
    .filter(({ url }, index, all) => all.findIndex((each) => each.url === url) === index);
  if (streams.length === 0) throw badAnswer(name, 'a session without an address');
  return { kind: 'streams', streams };
}

/** "/token/play/1" means the service's own root, which behind a proxy is the base. */
const belowBase = (path = '') => (/^https?:/i.test(path) ? path : path.replace(/^\/+/, ''));

function refusalIn(name: string, answer: HttpResponse) {
  const words = errorTextOf(answer.text());
  const key = `the token of your user from the settings of ${name}`;
  return orderRefusal({ name, status: answer.status, words, isOwn: false, key });
}
