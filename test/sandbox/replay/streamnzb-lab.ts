import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import {
  type StreamNzbOptions,
  type StreamNzbSandbox,
  startStreamNzb,
} from '../../../sandbox/direct-stream/streamnzb/index.ts';
import { type CameBody, recordedLength, streamNzbForm, streamNzbHeaders } from './streamnzb-form.ts';
import { recordedPosts } from './streamnzb-posts.ts';
import type { Exchange } from './transcript.ts';

export interface StreamNzbLab {
  readonly service: StreamNzbSandbox;
  /** Asks for a list of the stream without failover, beside the recording. */
  list(path: string): Promise<void>;
  replay(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

const TOKENS = {
  '{token}': 'own-4c1be07d93a8f25f6a1c2b7e',
  '{token of a stream without failover}': 'nofail-4c1be07d93a8f25f6a1c',
  '{token of a combined stream}': 'first-4c1be07d93a8f25f6a1c',
  '{admin token}': 'admin-4c1be07d93a8f25f6a1c',
};
const INDEXER = { name: 'OwnIdx', url: 'http://indexer.invalid', apiKey: 'lab-key-71f2' };

export async function startStreamNzbLab(options: StreamNzbOptions = {}): Promise<StreamNzbLab> {
  const service = await startStreamNzb({
    streams: [
      { name: 'own', token: TOKENS['{token}'], failover: true, results: 'display_all' },
      {
        name: 'nofail',
        token: TOKENS['{token of a stream without failover}'],
        failover: false,
        results: 'display_all',
      },
      {
        name: 'first',
        token: TOKENS['{token of a combined stream}'],
        failover: true,
        results: 'first',
      },
    ],
    adminToken: TOKENS['{admin token}'],
    indexerAt: INDEXER,
    posts: recordedPosts(),
    ...options,
  });
  const ours = (text: string) =>
    Object.entries(TOKENS)
      .reduce((all, [from, to]) => all.replaceAll(from, to), text)
      .replaceAll('http://{host}:7000', service.url)
      .replaceAll('http://{indexer host}', INDEXER.url)
      .replaceAll('{indexer key}', INDEXER.apiKey);
  return {
    service,
    list: async (path) => {
      await (await fetch(`${service.addon('nofail')}/stream/${path}.json`)).text();
    },
    replay: async (exchange) => {
      compare(exchange, await ask(service.url, exchange, ours), ours);
    },
    close: () => service.close(),
  };
}

interface Came extends CameBody {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** More of a body than that is a film's, and only counted. */
const MAX_TEXT = 100_000;

function ask(origin: string, { request }: Exchange, ours: (text: string) => string): Promise<Came> {
  const { method, target, headers } = request;
  const given = Object.entries(headers).map(([name, value]) => [name, ours(value)] as const);
  return new Promise((resolve) => {
    const req = httpRequest(`${origin}${ours(target)}`, {
      method,
      headers: Object.fromEntries(given),
      agent: false,
    });
    req.once('error', (error: NodeJS.ErrnoException) => {
      resolve({
        status: 0,
        headers: {},
        text: `(no answer: ${String(error.code)})`,
        length: 0,
        isBroken: true,
      });
    });
    req.once('response', (res) => {
      let length = 0;
      let text = '';
      res.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (text.length < MAX_TEXT) text += chunk.toString('utf8');
      });
      // A body that breaks off is an error as well.
      res.on('error', () => undefined);
      res.once('close', () => {
        const { statusCode: status = 0 } = res;
        resolve({ status, headers: res.headers, text, length, isBroken: !res.complete });
      });
    });
    req.end();
  });
}

function compare({ name, answer }: Exchange, came: Came, ours: (text: string) => string): void {
  const recorded = answer.body.kind === 'text' ? answer.body.text : '';
  expect([name, came.status]).toEqual([name, answer.status]);
  if (answer.status === 0) {
    expect([name, came.text]).toEqual([name, recorded]);
    return;
  }
  const length = recordedLength(recorded);
  const isExact = length !== undefined || (!recorded.includes('{') && !recorded.startsWith('(an HTML'));
  const headers = Object.entries(answer.headers ?? {}).map(([key, value]) => [key, ours(value)] as const);
  expect([name, streamNzbHeaders(came.headers, isExact)]).toEqual([
    name,
    streamNzbHeaders(Object.fromEntries(headers), isExact),
  ]);
  if (length === undefined)
    expect([name, streamNzbForm(came.text)]).toEqual([name, streamNzbForm(ours(recorded))]);
  else expect([name, came.length, came.isBroken]).toEqual([name, length.length, length.isBroken]);
}
