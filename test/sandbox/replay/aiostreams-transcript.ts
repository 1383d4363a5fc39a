import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Exchange, FOLDER } from './transcript.ts';

const RECORDED = join(FOLDER, 'aiostreams');
export const RECORDED_ORIGIN = 'http://aiostreams.example:3000';

interface Recorded {
  readonly request?: {
    readonly method?: string;
    readonly url?: string;
    readonly headers?: Record<string, string>;
  };
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Everything that was recorded of AIOStreams: by file and place ("aiostreams/play/1"). Some are no exchanges, but tell of several. */
export function aioStreamsRecording(): ReadonlyMap<string, Exchange> {
  const exchanges = readdirSync(RECORDED).flatMap((file) => {
    const all = JSON.parse(readFileSync(join(RECORDED, file), 'utf8')) as Recorded[];
    return all.map((each, n) => exchange(`aiostreams/${file.replace(/\.json$/, '')}/${n}`, each));
  });
  return new Map(exchanges.map((each) => [each.name, each]));
}

function exchange(name: string, { request = {}, status = 0, headers, body = '' }: Recorded): Exchange {
  return {
    name,
    request: {
      method: request.method ?? '',
      target: (request.url ?? '').replace(RECORDED_ORIGIN, ''),
      headers: request.headers ?? {},
      body: '',
    },
    answer: { status, headers, body: bodyOf(body) },
  };
}

function bodyOf(body: unknown): Exchange['answer']['body'] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const length = /^<(\d+) bytes, first 16: [0-9a-f]*>$/.exec(text)?.[1];
  return length === undefined
    ? { kind: 'text', text, cut: false }
    : { kind: 'bytes', length: Number(length) };
}
