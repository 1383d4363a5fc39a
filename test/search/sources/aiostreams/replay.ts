import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../../support/http-server.ts';

// Answers of a real AIOStreams (test/fixtures/recorded/README.md).

const FOLDER = join(import.meta.dirname, '../../../fixtures/recorded/aiostreams');

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The recorded answer with this note. */
export function reply(file: string, note: string): Reply {
  const all = JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as (Reply & { note: string })[];
  const found = all.find((each) => each.note.startsWith(note));
  if (found === undefined) throw new Error(`nothing recorded as ${note}`);
  return found;
}

/** The part of the recorded addresses that is a login. */
export const UUID = '00000000-0000-4000-8000-000000000001';
export const PASSWORD =
  'eyJpIjoiQUFBQUFBQUFBQUFBQUFBQUFBQUFBQT09IiwiZSI6IkVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFIiwidCI6ImEifQ';
/** The key of the indexer behind it, which stands in its answers. */
export const INDEXER_KEY = 'INDEXERKEY0123456789';

export interface Asked {
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

export interface Replayed {
  readonly url: string;
  readonly asked: Asked[];
  /** What comes; absent: a page that says 404, as of a version that has no such thing. */
  manifest: Reply;
  /** What everybody is shown; absent: as `manifest`. */
  publicManifest?: Reply;
  stream?: Reply;
  search?: Reply;
}

const MISSING: Reply = { status: 404, headers: { 'content-type': 'text/html' }, body: 'Cannot GET' };

export async function replayed(answers: Pick<Replayed, 'stream' | 'search'> = {}): Promise<Replayed> {
  const asked: Asked[] = [];
  const origin = await serve(({ url: path = '', headers }, response) => {
    asked.push({ path, headers });
    const ofEverybody = path === '/stremio/manifest.json' ? service.publicManifest : undefined;
    const found = path.includes('/manifest.json')
      ? (ofEverybody ?? service.manifest)
      : path.includes('/stream/')
        ? service.stream
        : service.search;
    const { status, headers: told, body } = found ?? MISSING;
    const { 'content-length': _length, ...kept } = told;
    response.writeHead(status, kept).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const url = `${origin}/stremio/${UUID}/${PASSWORD}`;
  const service: Replayed = { url, asked, manifest: reply('stremio-manifest', 'manifest'), ...answers };
  return service;
}
