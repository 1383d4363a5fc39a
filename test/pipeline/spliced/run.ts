import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CatalogueRelease, type Clip, whenQuery } from '../../../sandbox/index.ts';
import { feedDocument } from '../../../sandbox/indexer/documents.ts';
import { resolver } from '../../../src/resolver.ts';
import { Random } from '../../support/random.ts';
import { OFFLINE, startWhole, type Whole } from '../whole.ts';
import { type Post, planSplicedPlay, type SplicedPlay } from './plan.ts';
import { nzbIn, releaseOf } from './post.ts';

/** The first is listed first: the better picture wins. */
const LACKING = 'Sintel.2010.1080p.WEB-DL.H.264-SPLICED';
const WHOLE = 'Sintel.2010.720p.WEB-DL.H.264-ENTIRE';
const QUERY = '?type=movie&title=Sintel&year=2010&imdb=tt1727587&tmdb=45745';

/** What a play came to. */
export interface SplicedOutcome {
  /** What was wrong. */
  readonly objections: readonly string[];
  /** The release that plays; absent: nothing does. */
  readonly playing?: 'lacking' | 'whole';
  /** The first byte handed to the player that is not the film's. */
  readonly wrongAt?: number;
}

/** Where what was read departs from the film: by another byte, or by none. */
interface Departure {
  readonly at: number;
  readonly how: 'wrong' | 'absent';
}

/** The check of the NZB is left out, as if the backend repaired. */
const UNCHECKED: typeof OFFLINE = {
  ...OFFLINE,
  resolver: {
    ...resolver,
    fetchNzb: (release, { signal, log }) => resolver.fetchNzb(release, { signal, log }),
  },
};

/** Searches, chooses and plays through the whole chain, and holds what comes against the film. */
export async function playSpliced(seed: number, { unchecked = false } = {}): Promise<SplicedOutcome> {
  const play = planSplicedPlay(seed);
  const posts = [
    releaseOf(play.lacking, LACKING, 2 * seed),
    releaseOf(play.whole, WHOLE, 2 * seed + 1),
  ] as const;
  const dataFolder = await mkdtemp(join(tmpdir(), 'slipstream-spliced-'));
  const engine = await startWhole({ jobDuration: 1, posts, dataFolder, settings: { max_attempts: '2' } });
  try {
    list(engine, play, posts);
    const plays = await engine.resolve(QUERY, unchecked ? UNCHECKED : OFFLINE);
    return await judged(engine, plays, play.reads);
  } finally {
    await engine.close();
    await rm(dataFolder, { recursive: true });
  }
}

/** What repeats one play. */
export const replaySpliced = (seed: number): string => `npm run scenarios -- --spliced --seed ${seed}`;

/** A play in one line. */
export function describeSpliced({ seed, lacking, whole }: SplicedPlay): string {
  const post = ({ container, volume, form }: Post) =>
    `${container}${volume === undefined ? '' : ' in volumes'} (${form})`;
  return `seed ${seed}: ${post(lacking)} lacks ${lacking.lack}; next ${post(whole)}`;
}

/** What the indexer finds and delivers. */
function list(
  { sandbox }: Whole,
  { seed, lacking, whole }: SplicedPlay,
  posts: readonly [CatalogueRelease, CatalogueRelease],
): void {
  const { indexer } = sandbox.faults;
  const page = { offset: 0, total: posts.length, releases: posts };
  const { body: feed } = feedDocument(page, true, ({ guid }) => ({
    url: `${sandbox.indexer.url}/api?t=get&id=${guid}&apikey=${encodeURIComponent(sandbox.indexer.apiKey)}`,
  }));
  for (const kind of ['search', 'movie'])
    indexer.push({
      kind: 'body',
      body: typeof feed === 'string' ? feed : '',
      type: 'application/xml',
      when: whenQuery('t', kind),
    });
  const random = new Random(-1 - seed);
  const nzbs = [nzbIn(lacking.form, posts[0], random, lacking.lack), nzbIn(whole.form, posts[1], random)];
  for (const [at, body] of nzbs.entries())
    indexer.push({
      kind: 'body',
      body,
      type: 'application/x-nzb',
      when: whenQuery('id', posts[at]?.guid ?? ''),
    });
}

async function judged(engine: Whole, plays: boolean, reads: readonly number[]): Promise<SplicedOutcome> {
  const { sandbox, host } = engine;
  const submitted = sandbox.requests.filter(whenQuery('mode', 'addfile')).length;
  const refused = host.progress.some(({ detail = '' }) => detail.includes('delivered an NZB that lacks'));
  const objections = [
    ...(submitted === 1 ? [] : [`${submitted} NZBs were handed over`]),
    ...(refused ? [] : ['nobody says that an NZB lacks something']),
  ];
  const [job] = sandbox.jobs();
  const url = host.resolved.at(-1)?.stream.url;
  const [clip] = job === undefined ? [] : sandbox.clipsOf(job.name);
  if (!plays || url === undefined || job === undefined || clip === undefined)
    return {
      objections: [...objections, `nothing plays: ${host.notified.map(({ what }) => what).join(' ')}`],
    };
  const playing = job.name.startsWith(WHOLE) ? 'whole' : 'lacking';
  if (playing === 'lacking') objections.push('the release plays whose NZB lacks something');
  const departure = await firstDeparture(url, clip, reads);
  if (departure === undefined) return { objections, playing };
  const { at, how } = departure;
  if (how === 'absent') return { objections: [...objections, `nothing comes from byte ${at} on`], playing };
  return { objections: [...objections, `byte ${at} is not the film's`], playing, wrongAt: at };
}

/** Reads the film, then from each of the places on. */
async function firstDeparture(
  url: string,
  clip: Clip,
  reads: readonly number[],
): Promise<Departure | undefined> {
  for (const part of [0, ...reads]) {
    const departure = await readFrom(url, clip, Math.floor(part * clip.size));
    if (departure !== undefined) return departure;
  }
  return undefined;
}

async function readFrom(url: string, clip: Clip, first: number): Promise<Departure | undefined> {
  const request = http.get(url, { agent: false, headers: { range: `bytes=${first}-` } });
  let at = first;
  try {
    const [message] = (await once(request, 'response')) as [http.IncomingMessage];
    for await (const chunk of message as AsyncIterable<Buffer>) {
      const right = clip.read(at, Math.min(clip.size, at + chunk.length));
      if (!chunk.equals(right))
        return { at: at + chunk.findIndex((byte, i) => byte !== right[i]), how: 'wrong' };
      at += chunk.length;
    }
  } catch {
    // What came until then was right; that no more came is told.
  } finally {
    request.destroy();
  }
  return at === clip.size ? undefined : { at, how: 'absent' };
}
