import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { ProwlarrIndexer } from '../../../sandbox/indexer/prowlarr/indexer.ts';
import type { Authentication } from '../../../sandbox/indexer/prowlarr/prowlarr.ts';
import { type IndexerSandbox, startIndexer } from '../../../sandbox/indexer/start.ts';
import type { ReplayLab } from './lab.ts';
import { bodyForm, prowlarrHeaderForm } from './prowlarr-form.ts';
import type { Exchange } from './transcript.ts';

export interface ProwlarrLabOptions {
  readonly behind: readonly ProwlarrIndexer[];
  readonly authentication?: Authentication;
  readonly urlBase?: string;
}

/** A Prowlarr to which recorded requests are put, each at the time at which it was recorded. */
export interface ProwlarrLab extends Pick<ReplayLab, 'replay' | 'close'> {
  readonly sandbox: IndexerSandbox;
  /** Lets it be this time of 2026-11-22 ("15:27:01"). */
  at(time: string): void;
  /** Asks it beside the recording, and gives the body. */
  get(target: string): Promise<string>;
}

const KEY = '5b1f0c7e9a2d4836b0d9e7c1a4f28365';
/** As the recorded one was called. */
const HOST = '127.0.0.1:9696';

export async function startProwlarrLab(options: ProwlarrLabOptions | undefined): Promise<ProwlarrLab> {
  const { behind = [], urlBase = '', authentication = 'none' } = options ?? {};
  let now = Date.UTC(2026, 10, 22, 15);
  const sandbox = await startIndexer('prowlarr', {
    apiKey: KEY,
    behind,
    urlBase,
    prowlarr: { authentication, times: { betweenQueries: 0, betweenTries: 0 }, now: () => now },
  });
  const links = new Map<string, string>();
  const ask = async (method: string, target: string, headers: Readonly<Record<string, string>>) => {
    const came = await answerOf(sandbox, method, target, { ...headers, host: HOST });
    for (const [, link = '', file = ''] of came.text.matchAll(/link=([\w-]+)&file=([^"&]+)/g))
      links.set(file, link);
    return came;
  };
  return {
    sandbox,
    at: (time) => {
      now = Date.parse(`2026-11-22T${time}Z`);
    },
    get: async (target) => (await ask('GET', target, { 'x-api-key': KEY })).text,
    replay: async (exchange) => {
      const { request, answer } = exchange;
      now = Date.parse(answer.headers?.['date'] ?? '');
      const ours = (text: string) => withOurs(text, links);
      const headers = Object.entries(request.headers).map(([name, value]) => [name, ours(value)]);
      const came = await ask(
        request.method,
        ours(request.target),
        Object.fromEntries(headers) as Record<string, string>,
      );
      compare(exchange, came);
    },
    close: () => sandbox.close(),
  };
}

/** A recorded text with our key, and our link to the file that it names. */
function withOurs(text: string, links: ReadonlyMap<string, string>): string {
  const file = /&file=([^&]+)/.exec(text)?.[1] ?? '';
  const link = links.get(file) ?? [...links.values()][0] ?? '';
  return text
    .replaceAll('{prowlarr-key}', KEY)
    .replace('{protected}', link)
    .replace('{login}', Buffer.from(`u:${KEY}`).toString('base64'));
}

interface Came {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function answerOf(
  { url }: IndexerSandbox,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Came> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(new URL(url).origin, { method, path, headers, agent: false }, (res) => {
      const kept: Buffer[] = [];
      res.on('data', (chunk: Buffer) => kept.push(chunk));
      res.once('error', reject);
      res.once('end', () => {
        const text = Buffer.concat(kept).toString('utf8');
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text });
      });
    });
    req.once('error', reject);
    req.end();
  });
}

function compare({ name, answer }: Exchange, came: Came): void {
  const { status, headers = {}, body } = answer;
  expect([name, came.status]).toEqual([name, status]);
  expect([name, prowlarrHeaderForm(came.headers, KEY)]).toEqual([name, prowlarrHeaderForm(headers, KEY)]);
  const text = body.kind === 'text' ? body.text : '';
  expect([name, bodyForm(came.text, KEY)]).toEqual([name, bodyForm(text, KEY)]);
}
