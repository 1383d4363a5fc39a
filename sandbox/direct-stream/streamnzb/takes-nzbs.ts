import { randomUUID } from 'node:crypto';
import { type Answer, type Handler, type Incoming, json } from '../../http/types.ts';
import { formParts } from '../../nzbdav/multipart.ts';
import { ended } from '../blocking.ts';
import { insteadOf, media, NOTICE } from '../media.ts';
import type { DirectStreamParts } from '../parts.ts';

/** It opens a stream for so long at the most; its failures are a redirect to a video. Milliseconds. */
const OPENING = 30_000;

/** StreamNZB (protocols.md §8.1): an order is answered at once, and the stream blocks until the first articles are there. */
export function streamNzb(parts: DirectStreamParts): Handler {
  const sessions = new Map<string, string>();
  const play = `/${encodeURIComponent(parts.apiKey)}/play/`;
  return (request) => {
    if (request.path === '/api/play/nzb') return order(request, sessions, parts);
    if (request.path === '/error/failure.mp4') return media(request, NOTICE);
    const name = request.path.startsWith(play) ? sessions.get(request.path.slice(play.length)) : undefined;
    return name === undefined ? { status: 404, body: '404 page not found\n' } : stream(request, name, parts);
  };
}

function order(request: Incoming, sessions: Map<string, string>, parts: DirectStreamParts): Answer {
  const { apiKey, faults, jobs, url } = parts;
  if (faults.absent === true) return { status: 404, body: '404 page not found\n' };
  if (request.method !== 'POST') return { status: 405, body: 'method not allowed' };
  if (request.headers['authorization'] !== `Bearer ${apiKey}`) return { status: 401, body: 'unauthorized' };
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

async function stream(request: Incoming, name: string, parts: DirectStreamParts): Promise<Answer> {
  if (request.method !== 'GET') return { status: 405 };
  const { faults, jobs } = parts;
  const job = await ended(name, OPENING, parts);
  if (job === undefined || job === 'gone' || job.state === 'failed') return FAILURE;
  const mount = jobs.mounts().find(({ folder }) => folder === job.folder);
  // It decides by itself what of an NZB is the film.
  const [file] = [...(mount?.files ?? [])].sort((a, b) => b.clip.size - a.clip.size);
  if (file === undefined) return FAILURE;
  return insteadOf(request, faults) ?? media(request, file.clip, faults.missing ?? file.lost?.[0]);
}
