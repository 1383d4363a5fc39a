import { randomUUID } from 'node:crypto';
import { type Answer, type Handler, type Incoming, json } from '../../http/types.ts';
import { formParts } from '../../nzbdav/multipart.ts';
import { waitUntilEnded } from '../blocking.ts';
import { media, NOTICE, substituteFilm } from '../media.ts';
import type { DirectStreamParts } from '../parts.ts';

/** It opens a stream for so long at the most; its failures are a redirect to a video. Milliseconds. */
const OPENING = 30_000;

/** What became of a session, as 4.1.0 tells it. */
interface Attempt {
  readonly slot_path: string;
  readonly release_title: string;
  readonly success: false;
  readonly failure_reason: string;
}

/**
 * The later StreamNZB that takes NZBs (protocols.md §8.1): an order is answered at once, and the stream blocks until the
 * first articles are there. Nobody has met it; its attempts are those of 4.1.0.
 */
export function streamNzb(parts: DirectStreamParts): Handler {
  const sessions = new Map<string, string>();
  const attempts: Attempt[] = [];
  const play = `/${encodeURIComponent(parts.apiKey)}/play/`;
  return (request) => {
    if (request.path === '/api/play/nzb') return order(request, sessions, parts);
    if (request.path === '/api/nzb-attempts') return told(request, attempts, parts);
    if (request.path === '/error/failure.mp4') return media(request, NOTICE);
    const id = request.path.startsWith(play) ? request.path.slice(play.length) : '';
    const name = sessions.get(id);
    if (name === undefined) return { status: 404, body: '404 page not found\n' };
    return stream(request, name, parts, (failure_reason) => {
      attempts.unshift({ slot_path: id, release_title: name, success: false, failure_reason });
      return FAILURE;
    });
  };
}

const told = ({ headers }: Incoming, attempts: readonly Attempt[], { apiKey }: DirectStreamParts): Answer =>
  headers['authorization'] === `Bearer ${apiKey}` ? json(200, attempts) : UNAUTHORIZED;

/** As every API path of 4.1.0 refuses a token (protocols.md §8.11). */
export const UNAUTHORIZED = json(401, { error: 'Unauthorized' });

function order(request: Incoming, sessions: Map<string, string>, parts: DirectStreamParts): Answer {
  const { apiKey, faults, jobs, url } = parts;
  if (faults.absent === true) return { status: 404, body: '404 page not found\n' };
  if (request.method !== 'POST') return { status: 405, body: 'method not allowed' };
  if (request.headers['authorization'] !== `Bearer ${apiKey}`) return UNAUTHORIZED;
  if (faults.account !== undefined) return { status: 403, body: faults.account };
  if (faults.submit !== undefined) return { status: 400, body: faults.submit.error };
  const file = formParts(request.headers['content-type'] ?? '', request.body).find(
    ({ name }) => name === 'file',
  );
  if (file?.filename === undefined) return { status: 400, body: 'missing nzb' };
  const id = `direct-${randomUUID()}`;
  sessions.set(id, file.filename.replace(/\.nzb$/, ''));
  jobs.add({ file: file.filename, category: '', nzb: file.data.toString('utf8') });
  const path = `/${encodeURIComponent(apiKey)}/play/${id}`;
  const outside = faults.foreignHost === true ? 'http://streamnzb.invalid:7000' : url();
  return json(200, {
    session_id: id,
    play_url: path,
    play_path: path,
    external_play_url: `${outside}${path}`,
  });
}

const FAILURE: Answer = { status: 307, headers: { location: '/error/failure.mp4' } };

async function stream(
  request: Incoming,
  name: string,
  parts: DirectStreamParts,
  fail: (reason: string) => Answer,
): Promise<Answer> {
  if (request.method !== 'GET') return { status: 405 };
  const { faults, jobs } = parts;
  if ((faults.lateStarts ?? 0) > 0) {
    faults.lateStarts!--;
    return fail('playback startup timeout during probe after 5s: context deadline exceeded');
  }
  const job = await waitUntilEnded(name, OPENING, parts);
  if (job === undefined || job === 'gone') return fail('');
  if (job.state === 'failed') return fail(job.failure ?? '');
  const mount = jobs.mounts().find(({ folder }) => folder === job.folder);
  // It decides by itself what of an NZB is the film.
  const [file] = [...(mount?.files ?? [])].sort((a, b) => b.clip.size - a.clip.size);
  if (file === undefined) return fail('No playable media stream could be opened from this release (EOF).');
  return substituteFilm(request, faults) ?? media(request, file.clip, faults.missing ?? file.lost?.[0]);
}
