import { CATALOGUE, type CatalogueRelease } from '../catalogue.ts';
import type { Clip } from '../clips/index.ts';
import { articlesOf, type ByteSpan } from '../posts.ts';
import { videoClip } from '../video-clip.ts';

/** A post as a service finds it that searches indexers and streams by itself; changed by a test at any time. */
export class DirectPost {
  readonly release: CatalogueRelease;
  /** Articles of its first video that are gone at the provider, numbered from 0; -1 is the last. */
  lost: readonly number[];
  /** What the indexer gives in place of its NZB. */
  nzb: 'good' | 'gone' | 'no-xml' | 'empty' = 'good';
  /** Milliseconds that the indexer takes to give its NZB. */
  delay = 0;

  constructor(release: CatalogueRelease, wrong: Partial<Pick<DirectPost, 'lost' | 'nzb' | 'delay'>> = {}) {
    this.release = release;
    this.lost = release.lost ?? [];
    Object.assign(this, wrong);
  }

  /** One of its videos, as its NZB lists it. */
  film(video: number): Clip {
    const clip = videoClip(this.release.videos[video]!);
    const { segments } = this.release;
    if (video > 0 || segments === undefined || segments === 'reversed') return clip;
    const all = articlesOf(clip.size);
    const lacks = new Set(segments.lacks.map((n) => all.at(n)));
    return spliced(
      clip,
      all.filter((article) => !lacks.has(article)),
    );
  }

  /** What is gone of one of its videos at the provider, in its own offsets. */
  holes(video: number): readonly ByteSpan[] {
    const size = this.release.videos[video]?.size ?? 0;
    if (this.release.health === 'dead') return [{ from: 0, to: size }];
    if (this.release.health === 'damaged') return [{ from: Math.floor(size * 0.6), to: size }];
    return video > 0 ? [] : this.lost.flatMap((n) => articlesOf(size).at(n) ?? []);
  }

  /** The place among its videos of the one that is asked for; undefined: it has no such episode. */
  videoOf(episode: Episode | undefined): number | undefined {
    const { videos } = this.release;
    if (episode === undefined || videos.length === 1) return 0;
    const two = (n: number) => String(n).padStart(2, '0');
    const tag = `S${two(episode.season)}E${two(episode.episode)}`;
    const found = videos.findIndex(({ path }) => path.includes(tag));
    return found === -1 ? undefined : found;
  }
}

export interface Episode {
  readonly season: number;
  readonly episode: number;
}

/** Those parts of a film, one after the other. */
function spliced(clip: Clip, parts: readonly ByteSpan[]): Clip {
  const size = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    name: clip.name,
    size,
    read(start, end) {
      const read: Uint8Array[] = [];
      let at = 0;
      for (const { from, to } of parts) {
        const first = Math.max(start, at);
        const last = Math.min(end, at + to - from);
        if (first < last) read.push(clip.read(from + first - at, from + last - at));
        at += to - from;
      }
      return Uint8Array.from(Buffer.concat(read));
    },
  };
}

/** What Stremio asks for. */
export interface Wanted {
  readonly type: string;
  /** With season and episode, as it stands in the address: "tt0000001:1:2". */
  readonly id: string;
}

export const episodeOf = ({ type, id }: Wanted): Episode | undefined => {
  const [, season, episode] = /:(\d+):(\d+)$/.exec(id) ?? [];
  return type === 'series' ? { season: Number(season), episode: Number(episode) } : undefined;
};

/** The posts of what is wanted, packs among them, in their own order. */
export function postsOf(wanted: Wanted, posts: readonly DirectPost[]): readonly DirectPost[] {
  const episode = episodeOf(wanted);
  const title = episode === undefined ? wanted.id : wanted.id.replace(/:\d+:\d+$/, '');
  return posts.filter(({ release: { of, ...release } }) => {
    if (title !== of.imdb && title !== `tmdb:${of.tmdb}`) return false;
    if (episode === undefined || of.kind === 'movie') return episode === undefined && of.kind === 'movie';
    return release.season === episode.season && (release.episode ?? episode.episode) === episode.episode;
  });
}

/** Those of the catalogue. */
export const cataloguePosts = (): DirectPost[] => CATALOGUE.map((release) => new DirectPost(release));
