import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, FOLDER, headAndBody } from './transcript.ts';

/** Not an exchange with Prowlarr, but what it sends on to an indexer. */
const FORWARDED = 'forwarded-requests.txt';

/** Everything that was recorded of Prowlarr, by name ("prowlarr/ping"). */
export function prowlarrRecording(): ReadonlyMap<string, Exchange> {
  const folder = join(FOLDER, 'prowlarr');
  const files = readdirSync(folder).filter((file) => file !== FORWARDED);
  const exchanges = files.map((file) =>
    exchange(`prowlarr/${file.replace(/\.txt$/, '')}`, readFileSync(join(folder, file), 'utf8')),
  );
  return new Map(exchanges.map((each) => [each.name, each]));
}

function exchange(name: string, text: string): Exchange {
  const [asked = '', answered = ''] = text.split(/^--- \d+ ms ---\n/m);
  const request = headAndBody(asked);
  const answer = headAndBody(answered);
  const [method = '', target = ''] = request.first.split(' ');
  return {
    name,
    request: { method, target, headers: request.headers, body: request.body },
    answer: {
      status: Number(answer.first.split(' ')[1]),
      headers: answer.headers,
      body: { kind: 'text', text: answer.body.trim(), cut: false },
    },
  };
}

/** A query of Slipstream's as it was then, and what the indexer got. */
export interface Forwarded {
  /** As Prowlarr was asked: text with tokens, type, categories. */
  readonly asked: URLSearchParams;
  readonly sent: URLSearchParams;
}

const BLOCK =
  /^QUERY (\{.*\})\n {2}Prowlarr: (.*): \d+ posts of 1 indexers, 0 failures\n {2}→ GET \/api\?(\S+)/gm;
const TYPES = { movie: 'movie', series: 'tvsearch', text: 'search' };
const CATEGORIES = { movies: ['2000'], series: ['5000'], anime: ['5000', '5070'] };

export function forwardedRequests(): readonly Forwarded[] {
  const text = readFileSync(join(FOLDER, 'prowlarr', FORWARDED), 'utf8').replaceAll('(indexer key)', 'key');
  return [...text.matchAll(BLOCK)].map(([, query = '', words = '', sent = '']) => {
    const { kind, area } = JSON.parse(query) as {
      kind: keyof typeof TYPES;
      area: keyof typeof CATEGORIES;
    };
    const asked = new URLSearchParams({ query: words, type: TYPES[kind], limit: '100' });
    for (const category of CATEGORIES[area]) asked.append('categories', category);
    return { asked, sent: new URLSearchParams(sent) };
  });
}
