import type { CatalogueRelease } from '../../../sandbox/index.ts';
import type { Attribute } from '../../../sandbox/indexer/documents.ts';
import { post } from './lab.ts';
import { hydraRecording } from './nzbhydra2-transcript.ts';

/** A post of one of the indexers behind the real NZBHydra2, as its rows tell of it. */
export interface RecordedPost {
  readonly indexer: string;
  readonly release: CatalogueRelease;
  readonly facts: readonly Attribute[];
  /** The result's id. */
  readonly id: string;
}

/** Every post that the recorded lists show, once for each indexer. */
export function recordedPosts(): readonly RecordedPost[] {
  const texts = [...hydraRecording().values()].map(({ answer: { body } }) =>
    body.kind === 'text' && body.text.includes('<newznab:response') ? body.text : '',
  );
  const items = texts.flatMap((text) => text.split('<item>').slice(1)).map(postOf);
  return [...new Map(items.map((each) => [each.id, each])).values()];
}

function postOf(item: string): RecordedPost {
  const field = (name: string) => new RegExp(`<${name}[^>]*>([^<]*)`).exec(item)?.[1] ?? '';
  const all = [...item.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): Attribute => [name, value],
  );
  const fact = (name: string) => String(all.find(([each]) => each === name)?.[1] ?? '');
  const number = Number(fact('category'));
  const main = Math.floor(number / 1000) * 1000;
  return {
    indexer: fact('hydraIndexerName'),
    id: field('guid'),
    facts: all.filter(([name]) => !name.startsWith('hydra') && name !== 'guid'),
    release: post(field('description'), {
      guid: /details\/([^#]*)/.exec(field('comments'))?.[1] ?? '',
      categories: [main, number],
      size: Number(field('size')),
      // The sandbox lists a post some hours after it was posted; which, says nothing.
      posted: new Date(Date.parse(field('pubDate')) - 3 * 3_600_000).toISOString(),
      of: {
        kind: main === 5000 ? 'show' : 'movie',
        title: '',
        year: 2019,
        imdb: fact('imdb'),
        tmdb: fact('tmdbid'),
        tvdb: fact('tvdbid'),
      },
      ...(fact('season') !== '' && { season: Number(fact('season')) }),
      ...(fact('episode') !== '' && { episode: Number(fact('episode')) }),
    }),
  };
}
