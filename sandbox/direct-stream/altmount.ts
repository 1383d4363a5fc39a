import { type Answer, type Handler, type Incoming } from '../http/types.ts';
import { altmountApi } from '../nzbdav/altmount.ts';
import { fileAnswer, plainText } from '../nzbdav/altmount-bytes.ts';
import { altmountDav } from '../nzbdav/altmount-dav.ts';
import { ALTMOUNT } from '../nzbdav/dialect.ts';
import type { SandboxJob } from '../nzbdav/job.ts';
import { formParts } from '../nzbdav/multipart.ts';
import { addOn } from './altmount-addon.ts';
import { mountOf, plainJson, refused, streamPath } from './altmount-answers.ts';
import { downloadKey } from './altmount-key.ts';
import { jobNamed, waitUntilEnded } from './blocking.ts';
import { substituteFilm } from './media.ts';
import type { DirectStreamParts } from './parts.ts';

/** Of its share, beside the person's API key. */
export const WEBDAV_LOGIN = { username: 'usenet', password: 'share' } as const;

/**
 * AltMount (protocols.md §2.10, §8.12): the blocking call, its streams, its Stremio add-on, and the SABnzbd endpoint and the
 * share of the same queue.
 */
export function altMount(parts: DirectStreamParts): Handler {
  const shared = { ...parts, dialect: ALTMOUNT };
  const sab = altmountApi(shared);
  const share = altmountDav({ ...shared, ...WEBDAV_LOGIN });
  const stremio = addOn(parts, downloadKey(parts.apiKey));
  return (request) => {
    const { path } = request;
    if (path === '/api/nzb/streams') return order(request, parts);
    if (path === '/api/files/stream') return stream(request, parts);
    if (path === '/sabnzbd/api') return sab(request);
    if (/^\/webdav(?:\/|$)/.test(path)) return share(request);
    if (path.startsWith('/stremio/')) return stremio(request);
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Cannot GET that' };
  };
}

async function order(request: Incoming, parts: DirectStreamParts): Promise<Answer> {
  const { apiKey, faults, jobs } = parts;
  if (faults.absent === true) return refused(404, 'NOT_FOUND', 'Stremio endpoint is disabled');
  // Any other path of its REST API is for those who have logged in.
  if (request.method !== 'POST')
    return plainJson(401, { message: 'Authentication required', success: false });
  if (faults.account !== undefined) return refused(403, 'FORBIDDEN', faults.account);
  const fields = formParts(request.headers['content-type'] ?? '', request.body);
  const field = (name: string) => fields.find((part) => part.name === name)?.data.toString('utf8');
  const key = request.headers['x-api-key'];
  if (key === undefined && field('download_key') === undefined)
    return refused(401, 'UNAUTHORIZED', 'Authentication required', KEY_NEEDED);
  if (key !== apiKey && field('download_key') !== downloadKey(apiKey))
    return refused(401, 'UNAUTHORIZED', 'Invalid X-Api-Key');
  if (faults.submit !== undefined) return refused(400, 'BAD_REQUEST', faults.submit.error);
  const file = fields.find((part) => part.name === 'file');
  if (file?.filename === undefined)
    return refused(400, 'BAD_REQUEST', 'No file provided', 'Upload a .nzb file or provide nzb_url');
  if (!/\.nzb(?:\.gz)?$/.test(file.filename))
    return refused(400, 'VALIDATION_ERROR', 'Invalid file type', 'Only .nzb or .nzb.gz files are allowed');
  const name = file.filename.replace(/\.nzb$/, '');
  const known = jobNamed(name, jobs);
  if (known === undefined || known.state === 'failed')
    jobs.add({
      file: file.filename,
      category: field('category') ?? 'stremio',
      nzb: file.data.toString('utf8'),
    });
  const job = await waitUntilEnded(name, Number(field('timeout') ?? 300) * 1000, parts);
  if (job === undefined) return refused(408, 'TIMEOUT', 'Timed out waiting for the NZB');
  if (job === 'gone') return refused(500, 'INTERNAL_SERVER_ERROR', 'Queue item not found');
  if (job.state === 'failed') return refused(500, 'INTERNAL_SERVER_ERROR', job.failure ?? '');
  const tag = episodeTag(field('season'), field('episode'));
  const paths = mountOf(job, jobs)?.files.map(({ path }) => path) ?? [`${name}.mkv`];
  if (tag === undefined && paths.filter((path) => EPISODE.test(path)).length > 1)
    return refused(400, 'BAD_REQUEST', 'Episode not specified', EPISODE_NEEDED);
  const streams = paths
    .filter((path) => tag === undefined || path.toUpperCase().includes(tag))
    .map((path) => streamOf(job, path, parts));
  return plainJson(200, {
    streams,
    _queue_item_id:
      1 +
      jobs
        .history()
        .toReversed()
        .findIndex(({ id }) => id === job.id),
    _queue_status: streams.length === 0 ? 'completed' : 'streamable',
    _cached: false,
  });
}

const KEY_NEEDED = 'Provide download_key (SHA256 of API key) or X-Api-Key header';
const EPISODE_NEEDED =
  'This release is a multi-episode pack; provide season and episode (or a Stremio id like tt1234567:1:5).';
const EPISODE = /s\d\de\d\d/i;

const two = (text: string) => text.padStart(2, '0');
const episodeTag = (season?: string, episode?: string) =>
  season === undefined || episode === undefined ? undefined : `S${two(season)}E${two(episode)}`;

/** No sizes, and of several in an order that means nothing. */
function streamOf(job: SandboxJob, path: string, { faults, url, apiKey }: DirectStreamParts) {
  const base = faults.foreignHost === true ? 'http://altmount.invalid:8080' : url();
  return { url: base + streamPath(job, path, apiKey), title: path, name: path };
}

const OPENS_NOT = plainText(500, 'Failed to open file');

function stream(request: Incoming, { apiKey, faults, jobs }: DirectStreamParts): Answer {
  if (request.query.get('download_key') !== downloadKey(apiKey)) return wrongDownloadKey();
  const [, , category = '', folder = '', ...path] = (request.query.get('path') ?? '').split('/');
  const mount = jobs.mounts().find((each) => each.category === category && each.folder === folder);
  const file = mount?.files.find((each) => each.path === path.join('/'));
  if (file === undefined) return plainText(400, 'Cannot stream directory');
  const name = path.at(-1) ?? '';
  const served = {
    key: [category, folder, ...path].join('/'),
    gone: OPENS_NOT,
    // As raw UTF-8.
    headers: {
      'content-disposition': Buffer.from(`inline; filename="${name}"`).toString('latin1'),
    },
  };
  return substituteFilm(request, faults) ?? fileAnswer(request, { ...file, name }, served, { jobs, faults });
}

function wrongDownloadKey(): Answer {
  const answer = plainText(401, 'Unauthorized: valid download_key required');
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer realm="Stream API"' } };
}
