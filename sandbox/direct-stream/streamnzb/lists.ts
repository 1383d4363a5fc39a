import { type DirectPost, postsOf, type Wanted } from '../post.ts';
import type { StreamNzb } from './service.ts';
import type { ConfiguredStream } from './session.ts';

/** What a search has found is kept so long, an empty list too. Milliseconds. */
const KEPT = 10 * 60_000;

/** The releases of what is wanted; why there is none is never told. */
export function findReleases(
  wanted: Wanted,
  { memory, settings, posts, now }: StreamNzb,
): readonly DirectPost[] {
  const key = `${wanted.type} ${wanted.id}`;
  const known = memory.searches.get(key);
  if (known !== undefined && now() - known.at < KEPT) return known.found;
  const isBlind = settings.tmdb === 'away' || settings.indexer === 'away';
  const result = isBlind ? [] : postsOf(wanted, posts);
  memory.searches.set(key, { at: now(), found: result });
  return result;
}

/**
 * The rows of a list. It makes the sessions of its places: one that is there already keeps the release that stood there
 * first.
 */
export function rows(wanted: Wanted, stream: ConfiguredStream, service: StreamNzb): readonly unknown[] {
  const posts = findReleases(wanted, service);
  const ids = posts.map((post, place) => {
    const id = `stream:${stream.name}:${wanted.type}:${wanted.id}:${place}`;
    const { sessions } = service.memory;
    if (!sessions.has(id)) sessions.set(id, { id, post, wanted, stream, touched: service.now() });
    return id;
  });
  const all = posts.map((post, place) => row(post, ids[place]!, stream, service));
  const [first] = all;
  if (stream.results === 'display_all' || first === undefined) return all;
  const description = `StreamNZB\n${posts.length} possible releases`;
  return [{ ...first, description }, nextRow(ids[0]!, stream, service)];
}

/** Its own address, as it tells it. */
export const base = ({ settings, url }: StreamNzb): string => settings.baseUrl ?? url();

const HINTS = { notWebReady: true, bingeGroup: 'streamnzb-StreamNZB' };

const row = ({ release }: DirectPost, id: string, { token }: ConfiguredStream, service: StreamNzb) => ({
  failoverId: `streamnzb-${id}`,
  url: `${base(service)}/${token}/play/${id}`,
  name: 'StreamNZB',
  description: `StreamNZB\n${release.name}`,
  behaviorHints: { ...HINTS, videoSize: release.size, filename: release.name, cached: false },
});

const nextRow = (id: string, { token }: ConfiguredStream, service: StreamNzb) => ({
  failoverId: `streamnzb-next-${id}`,
  url: `${base(service)}/${token}/next/${id}`,
  name: 'StreamNZB (next release)',
  description: 'StreamNZB\nTry next release in list',
  behaviorHints: HINTS,
});
