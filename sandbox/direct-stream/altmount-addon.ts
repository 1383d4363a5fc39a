import type { CatalogueRelease } from '../catalogue.ts';
import { type Answer, type Handler, type Incoming, json } from '../http/types.ts';
import { nzbOf } from '../indexer/nzb.ts';
import { mountOf, refused, streamPath } from './altmount-answers.ts';
import { jobNamed, waitUntilEnded } from './blocking.ts';
import type { DirectStreamParts } from './parts.ts';

const MANIFEST = {
  id: 'community.altmount',
  version: '1.0.0',
  name: 'AltMount Usenet',
  description: 'Stream from Usenet via Prowlarr',
  resources: ['stream'],
  types: ['movie', 'series'],
  catalogs: [],
  idPrefixes: ['tt'],
};

/** How long a play address waits for its job, in milliseconds. */
const PATIENCE = 60_000;

/** AltMount's Stremio add-on (protocols.md §8.12): what it lists are the releases of the catalogue. */
export function addOn(parts: DirectStreamParts, key: string): Handler {
  return (request) => {
    const [, , given, ...path] = request.path.split('/');
    const isWrong = given !== key;
    if (path[0] === 'stream')
      return isWrong ? plain(401, { error: 'invalid key' }) : list(path.slice(1), key, parts);
    if (isWrong) return refused(401, 'UNAUTHORIZED', 'Invalid key');
    if (path[0] === 'manifest.json') return plain(200, MANIFEST);
    return path[0] === 'play' ? play(request, parts) : { status: 404 };
  };
}

const plain = (status: number, value: unknown): Answer => ({
  ...json(status, value),
  headers: { 'content-type': 'application/json' },
});

const GB = 1024 ** 3;
const SIZES = /\b(2160p|1080p|720p|480p)\b/;
const LABELS: Record<string, string> = { '2160p': 'UHD', '1080p': 'FHD', '720p': 'HD' };

/** Rows without a file name or a size; an id of another kind than IMDb's finds nothing. */
function list(
  [kind = '', document = '']: readonly string[],
  key: string,
  { url, posts }: DirectStreamParts,
): Answer {
  const [imdb, season, episode] = decodeURIComponent(document.replace(/\.json$/, '')).split(':');
  const fits = (release: CatalogueRelease) =>
    release.of.imdb === imdb &&
    (kind === 'movie' ||
      (release.season === Number(season) && [undefined, Number(episode)].includes(release.episode)));
  const rows = posts.filter(fits).map(({ name, of, size, guid }) => {
    const resolution = SIZES.exec(name)?.[1] ?? '480p';
    // The manager's address, with its key in clear.
    const link = `${url()}/1/download?apikey=of-the-manager&link=${guid}&file=${name}`;
    const query = new URLSearchParams({ url: link, title: name, type: kind, indexer: 'Sandbox' });
    return {
      name: `AltMount ${LABELS[resolution] ?? 'SD'} - ${of.title} (${of.year}) [${resolution}]`,
      title: `${name}\n💾 ${(size / GB).toFixed(2)} GB 🌐 Sandbox`,
      url: `${url()}/stremio/${key}/play?${query.toString()}`,
    };
  });
  return plain(200, { streams: rows });
}

/** What is imported already is there at once; anything else is fetched at the indexer anew, also what has just failed. */
async function play(request: Incoming, parts: DirectStreamParts): Promise<Answer> {
  const { jobs, grabs, posts } = parts;
  const title = request.query.get('title') ?? '';
  const release = posts.find(({ name }) => name === title);
  if (jobNamed(title, jobs)?.state !== 'completed' && release !== undefined) {
    grabs.push(title);
    jobs.add({ file: `${title}.nzb`, category: 'Movies', nzb: nzbOf(release) });
  }
  const job = await waitUntilEnded(title, PATIENCE, parts);
  const file = job === undefined || job === 'gone' ? undefined : mountOf(job, jobs)?.files[0];
  if (job === undefined || job === 'gone' || file === undefined)
    return {
      ...refused(503, 'SERVICE_UNAVAILABLE', 'NZB processing failed'),
      headers: { 'content-type': 'application/json', 'retry-after': '10' },
    };
  const location = parts.url() + streamPath(job, file.path, parts.apiKey);
  return { status: 302, headers: { location, 'content-type': 'text/plain; charset=utf-8' } };
}
