import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiBase } from '../../../src/backends/webdav/config.ts';
import { detectServer } from '../../../src/backends/webdav/detect-server.ts';
import { FOLDER, headAndBody, recording } from '../../sandbox/replay/transcript.ts';
import { serve } from '../../support/http-server.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A server that knows what a real one was seen to answer to `mode=status`. */
interface Recorded {
  readonly path: string;
  readonly keyIn: 'header' | 'query';
  readonly right: Answer;
  /** To whoever shows no key that it reads. */
  readonly refusal: Answer;
}

/** Of nzbdav and InfiniDysk, by the name of the exchange. */
function ofFamily(server: 'nzbdav' | 'infinidysk', right: string, refusal: string): Recorded {
  const exchanges = recording(server);
  const answerOf = (name: string): Answer => {
    const { status, body } = exchanges.get(`${server}/${name}`)!.answer;
    return { status, body: body.kind === 'text' ? body.text : '' };
  };
  return { path: '/api', keyIn: 'header', right: answerOf(right), refusal: answerOf(refusal) };
}

/** Of AltMount and SABnzbd: one file an exchange. */
function ofOthers(path: string, right: string, refusal: string): Recorded {
  const answerOf = (file: string): Answer => {
    const text = readFileSync(join(FOLDER, `${file}.txt`), 'utf8');
    const { first, body } = headAndBody(text.slice(text.indexOf('\nHTTP/') + 1));
    return { status: Number(first.split(' ')[1]), body };
  };
  return { path, keyIn: 'query', right: answerOf(right), refusal: answerOf(refusal) };
}

function ofAioStreams(): Recorded {
  const file = readFileSync(join(FOLDER, 'aiostreams/sabnzbd-status.json'), 'utf8');
  const all = JSON.parse(file) as { name: string; status: number; body: unknown }[];
  const [refusal, right] = all.map(({ status, body }) => ({ status, body: JSON.stringify(body) }));
  return { path: '/v1/sabnzbd/api', keyIn: 'query', right: right!, refusal: refusal! };
}

const sab = (version: string, mode: string, path: string) =>
  ofOthers(path, `sabnzbd/${version}/${mode}`, `sabnzbd/${version}/key-in-header-x-api-key`);

const KEY = 'canary-key';

/** Answers as recorded, and keeps the addresses that it was asked by. */
async function serving({ path, keyIn, right, refusal }: Recorded) {
  const asked: string[] = [];
  const url = await serve(({ url = '', headers }: IncomingMessage, response: ServerResponse) => {
    asked.push(url);
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const key = keyIn === 'header' ? headers['x-api-key'] : searchParams.get('apikey');
    const { status, body } = pathname !== path ? { status: 404, body: '' } : key === KEY ? right : refusal;
    response.writeHead(status).end(body);
  });
  return { url, asked };
}

async function recognised(apiUrl: string) {
  const config = { apiUrl, apiKey: KEY, webdavUrl: '', username: '', password: '' };
  const api = apiBase({ ...config, movieCategory: '', tvCategory: '' });
  return await detectServer({ api, apiKey: KEY, timeout: 5_000, signal: new AbortController().signal });
}

describe('what the real servers answer to mode=status', () => {
  it.each([
    ['nzbdav', ofFamily('nzbdav', '01-status', '00-fresh-queue-nokey')],
    ['InfiniDysk', ofFamily('infinidysk', 'sab-api/1', 'sab-api/8')],
  ] as const)('tells %s, whose key stays out of the address', async (name, server) => {
    const { url, asked } = await serving(server);
    expect((await recognised(url))?.name).toBe(name);
    expect(asked.join()).not.toContain(KEY);
  });

  it.each([
    ['nzbdav', ofFamily('nzbdav', '01-fullstatus', '00-fresh-queue-nokey')],
    ['InfiniDysk', ofFamily('infinidysk', 'sab-api/2', 'sab-api/8')],
  ] as const)('is of the family as well in the longer form of %s', async (_name, server) => {
    const { url, asked } = await serving(server);
    expect((await recognised(url))?.keyIn).toBe('header');
    expect(asked.join()).not.toContain(KEY);
  });

  it.each([
    ['status', '5.0.1', '/api'],
    ['fullstatus', '5.0.1', '/api'],
    ['status', '3.7.1', '/api'],
    ['fullstatus', '3.7.1', '/api'],
    ['status', '3.7.1', '/sabnzbd/api'],
  ] as const)('tells SABnzbd: %s of %s at %s', async (mode, version, path) => {
    const { url } = await serving(sab(version, mode, path));
    const base = path === '/api' ? url : `${url}/sabnzbd`;
    expect(await recognised(base)).toMatchObject({ name: 'SABnzbd', apiPath: path, keyIn: 'query' });
  });

  it('tells a SABnzbd that lets everybody in', async () => {
    const server = sab('5.0.1', 'status', '/api');
    const { url } = await serving({ ...server, refusal: server.right });
    expect((await recognised(url))?.name).toBe('SABnzbd');
  });

  it('tells AltMount', async () => {
    const server = ofOthers('/sabnzbd/api', 'altmount/sab-status', 'altmount/sab-version-key-in-header');
    const { url } = await serving(server);
    expect((await recognised(url))?.name).toBe('AltMount');
  });

  it('tells that AIOStreams answers as SABnzbd does', async () => {
    const { url } = await serving(ofAioStreams());
    expect((await recognised(`${url}/v1/sabnzbd/api`))?.name).toBe('SABnzbd');
  });

  it.each(['{}', '{"status":false,"error":"Unknown mode: status"}', '{"status":"ok"}'])(
    'tells nothing where it is none of theirs: %s',
    async (body) => {
      const right = { status: 200, body };
      const { url } = await serving({ path: '/api', keyIn: 'header', right, refusal: right });
      expect(await recognised(url)).toBeUndefined();
    },
  );
});
