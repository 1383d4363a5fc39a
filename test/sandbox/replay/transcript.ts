import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One recorded exchange. */
export interface Exchange {
  /** Its file, and its place where the file holds several: "nzbdav/11-head", "infinidysk/webdav/7". */
  readonly name: string;
  readonly request: {
    readonly method: string;
    /** Path and query as they were sent. */
    readonly target: string;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly answer: {
    readonly status: number;
    /** Names in lower case; undefined: they were not kept. */
    readonly headers: Readonly<Record<string, string>> | undefined;
    readonly body: RecordedBody;
  };
}

export type RecordedBody =
  /** `cut`: only its beginning was kept. */
  | { readonly kind: 'text'; readonly text: string; readonly cut: boolean }
  | { readonly kind: 'bytes'; readonly length: number }
  | {
      /** It broke off; where depends on how long the heads of the volumes were. */
      readonly kind: 'broken';
      readonly promised: number;
    };

export const FOLDER = join(import.meta.dirname, '../../fixtures/recorded');

/** Everything that was recorded of a server, by name. */
export function recording(server: 'nzbdav' | 'infinidysk'): ReadonlyMap<string, Exchange> {
  const folder = join(FOLDER, server);
  const read = server === 'nzbdav' ? textExchanges : jsonExchanges;
  const exchanges = readdirSync(folder).flatMap((file) =>
    read(`${server}/${file.replace(/\.\w+$/, '')}`, readFileSync(join(folder, file), 'utf8')),
  );
  return new Map(exchanges.map((exchange) => [exchange.name, exchange]));
}

function textExchanges(name: string, text: string): Exchange[] {
  const all = text.split(/^>>> request\n/m).slice(1);
  return all.map((each, n) => textExchange(n === 0 ? name : `${name}/${n}`, each));
}

function textExchange(name: string, text: string): Exchange {
  const [asked = '', answered = ''] = text.split(/^<<< answer\n/m);
  const request = headAndBody(asked);
  const answer = headAndBody(answered.replace(/\n# headers after [^\n]*\n*$/, ''));
  const [method = '', target = ''] = request.first.split(' ');
  return {
    name,
    request: { method, target, headers: request.headers, body: request.body },
    answer: {
      status: Number(answer.first.split(' ')[1]),
      headers: answer.headers,
      body: bodyOf(answer.body),
    },
  };
}

export function headAndBody(text: string): { first: string; headers: Record<string, string>; body: string } {
  const end = text.indexOf('\n\n');
  const [first = '', ...lines] = (end === -1 ? text : text.slice(0, end)).split('\n');
  const fields = lines.filter(Boolean).map((line) => /^([^:]+): ?(.*)$/.exec(line)!.slice(1));
  return {
    first,
    headers: lowered(fields as [string, string][]),
    body: end === -1 ? '' : text.slice(end + 2),
  };
}

const lowered = (fields: readonly (readonly [string, string])[]) =>
  Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]));

function bodyOf(text: string): RecordedBody {
  const bytes = /^<(\d+) bytes, binary>\n*$/.exec(text)?.[1] ?? /^\((\d+) bytes\)$/.exec(text)?.[1];
  if (bytes !== undefined) return { kind: 'bytes', length: Number(bytes) };
  const cut = /\n?<\.\.\. \d+ characters in all>\n*$/;
  return { kind: 'text', text: text.replace(cut, ''), cut: cut.test(text) };
}

interface JsonTranscript {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: unknown;
    /** Bytes that came, where the body was a file's, and that were promised, where fewer came. */
    readonly got?: number;
    readonly promised?: number;
  };
}

/** What was sent as well where only the headers in question were kept. */
const SECRETS = { 'x-api-key': '<sab-api-key>', authorization: 'Basic <dav-user:dav-password>' };

function jsonExchanges(name: string, text: string): Exchange[] {
  const { transcripts } = JSON.parse(text) as { transcripts: JsonTranscript[] };
  return transcripts.map(({ request, response }, n) => {
    const { headers, body = '' } = response;
    const told = typeof body === 'string' ? body : JSON.stringify(body);
    return {
      name: `${name}/${n}`,
      request: {
        method: request.method,
        target: request.path,
        body: request.body ?? '',
        headers: lowered(Object.entries({ ...(headers === undefined ? SECRETS : {}), ...request.headers })),
      },
      answer: {
        status: response.status,
        headers: headers === undefined ? undefined : lowered(Object.entries(headers)),
        body: bytesOf(response) ?? bodyOf(told),
      },
    };
  });
}

function bytesOf({ got, promised }: JsonTranscript['response']): RecordedBody | undefined {
  if (promised !== undefined) return { kind: 'broken', promised };
  return got === undefined ? undefined : { kind: 'bytes', length: got };
}
