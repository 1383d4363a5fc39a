import { createHash } from 'node:crypto';
import { type Answer, type Handler, type Incoming, json } from '../http/types.ts';
import type { Mount, SandboxJob } from '../nzbdav/jobs.ts';
import { formParts } from '../nzbdav/multipart.ts';
import { ended, jobNamed } from './blocking.ts';
import { insteadOf, media } from './media.ts';
import type { DirectStreamParts } from './parts.ts';
import { sabnzbd } from './sabnzbd.ts';

/** What opens AltMount's streams: the SHA-256 of the key, in hexadecimal digits. */
export const downloadKey = (apiKey: string): string => createHash('sha256').update(apiKey).digest('hex');

/** AltMount (protocols.md §2.10, §8.1): the blocking call, its streams, and the SABnzbd endpoint of the same queue. */
export function altMount(parts: DirectStreamParts): Handler {
  const sab = sabnzbd(parts);
  return (request) => {
    switch (request.path) {
      case '/api/nzb/streams':
        return order(request, parts);
      case '/api/files/stream':
        return stream(request, parts);
      case '/sabnzbd/api':
        return sab(request);
      default:
        return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Cannot GET that' };
    }
  };
}

const refused = (status: number, code: string, message: string, details = ''): Answer =>
  json(status, { success: false, error: { code, message, details } });

async function order(request: Incoming, parts: DirectStreamParts): Promise<Answer> {
  const { apiKey, faults, jobs } = parts;
  if (faults.absent === true) return refused(404, 'NOT_FOUND', 'Stremio endpoint is disabled');
  if (request.method !== 'POST') return refused(405, 'METHOD_NOT_ALLOWED', 'Method not allowed');
  if (faults.account !== undefined) return refused(403, 'FORBIDDEN', faults.account);
  const fields = formParts(request.headers['content-type'] ?? '', request.body);
  const field = (name: string) => fields.find((part) => part.name === name)?.data.toString('utf8');
  const keys = [request.headers['x-api-key'] === apiKey, field('download_key') === downloadKey(apiKey)];
  if (!keys.includes(true)) return refused(401, 'UNAUTHORIZED', 'Invalid API key');
  if (faults.submit !== undefined) return refused(400, 'BAD_REQUEST', faults.submit.error);
  const file = fields.find((part) => part.name === 'file');
  if (file?.filename === undefined) return refused(400, 'BAD_REQUEST', 'Either file or nzb_url is required');
  if (!/\.nzb(?:\.gz)?$/.test(file.filename)) return refused(400, 'BAD_REQUEST', 'Only .nzb files are taken');
  const name = file.filename.replace(/\.nzb$/, '');
  const known = jobNamed(name, jobs);
  if (known === undefined || known.state === 'failed')
    jobs.add({
      file: file.filename,
      category: field('category') ?? 'stremio',
      nzb: file.data.toString('utf8'),
    });
  const job = await ended(name, Number(field('timeout') ?? 300) * 1000, parts);
  if (job === undefined) return refused(408, 'TIMEOUT', 'Timed out waiting for the NZB');
  if (job === 'gone') return refused(500, 'INTERNAL_SERVER_ERROR', 'Queue item not found');
  if (job.state === 'failed')
    return refused(500, 'INTERNAL_SERVER_ERROR', 'NZB processing failed', job.failure);
  return json(200, {
    streams: streamsOf(job, field('season'), field('episode'), parts),
    _queue_item_id: 41,
    _queue_status: 'completed',
    _cached: known?.state === 'completed',
  });
}

function streamsOf(
  job: SandboxJob,
  season: string | undefined,
  episode: string | undefined,
  { apiKey, faults, jobs, url }: DirectStreamParts,
): unknown[] {
  const files = mountOf(job, jobs)?.files.map(({ path }) => path) ?? [`${job.name}.mkv`];
  const two = (text: string) => text.padStart(2, '0');
  const tag = season === undefined || episode === undefined ? '' : `S${two(season)}E${two(episode)}`;
  const base = faults.foreignHost === true ? 'http://altmount.invalid:8080' : url();
  return files
    .filter((path) => path.includes(tag))
    .map((path) => {
      const query = new URLSearchParams({
        path: `/complete/${job.category}/${job.folder ?? job.name}/${path}`,
        download_key: downloadKey(apiKey),
      });
      const title = path.slice(path.lastIndexOf('/') + 1);
      return { url: `${base}/api/files/stream?${query.toString()}`, title, name: job.name };
    });
}

const mountOf = ({ category, folder }: SandboxJob, jobs: DirectStreamParts['jobs']): Mount | undefined =>
  jobs.mounts().find((mount) => mount.category === category && mount.folder === folder);

function stream(request: Incoming, { apiKey, faults, jobs }: DirectStreamParts): Answer {
  if (request.method !== 'GET') return { status: 405 };
  if (request.query.get('download_key') !== downloadKey(apiKey)) return { status: 401, body: 'unauthorized' };
  const [, , category, folder, ...path] = (request.query.get('path') ?? '').split('/');
  const mount = jobs.mounts().find((each) => each.category === category && each.folder === folder);
  const file = mount?.files.find((each) => each.path === path.join('/'));
  if (file === undefined) return { status: 404, body: 'file not found' };
  return insteadOf(request, faults) ?? media(request, file.clip, faults.missing ?? file.lost?.[0]);
}
