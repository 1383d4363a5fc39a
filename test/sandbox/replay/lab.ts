import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import {
  BIG_BUCK_BUNNY,
  type CatalogueRelease,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
  type Video,
} from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import { client } from '../support/client.ts';
import { headerForm, jsonForm, listingForm, xmlForm } from './form.ts';
import type { Exchange } from './transcript.ts';

/** A sandbox to which recorded requests are put. */
export interface ReplayLab {
  readonly sandbox: Sandbox;
  /** Submits an NZB of the release under this file name, beside the recording. */
  submit(release: CatalogueRelease, file: string, category?: string): Promise<string>;
  /** From now on the recorded id is this one of ours. */
  knows(recorded: string, ours: string): void;
  /** Asks what was asked, and compares what comes. */
  replay(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

/** Levels of the share that show what else the run has made: compared by the kinds of their entries. */
const OF_THE_RUN = /^\/(?:content|content\/movies|completed-symlinks\/movies)\/$/;

export interface ReplayOptions extends SandboxOptions {
  /** The NZB that is handed over where one was, by the name of its file. */
  readonly nzb?: (file: string) => string;
}

export async function startReplay({ nzb, ...options }: ReplayOptions = {}): Promise<ReplayLab> {
  const sandbox = await startSandbox({ jobDuration: 0, ...options });
  const agent = new Agent({ keepAlive: true });
  const ids = new Map<string, string>();
  const { submit } = client(sandbox);
  const knows = (recorded: string, ours: string) => {
    ids.set(recorded, ours);
  };
  return {
    sandbox,
    submit: (release, file, category) => submit(nzbOf(release), file, category),
    knows,
    replay: async (exchange) => {
      const came = await ask(sandbox, agent, exchange, ids, nzb ?? (() => nzbOf(post('Some.Film'))));
      const id = NEW_ID.exec(textOf(exchange))?.[1];
      const ours = NEW_ID.exec(came.text)?.[1];
      if (id !== undefined && ours !== undefined) knows(id, ours);
      compare(exchange, came);
    },
    close: async () => {
      agent.destroy();
      await sandbox.close();
    },
  };
}

const NEW_ID = /"nzo_ids":\["([0-9a-f-]{36})"/;
const textOf = ({ answer: { body } }: Exchange) => (body.kind === 'text' ? body.text : '');

/** What came: status, headers, the body as text, and how many bytes of it before it ended or broke off. */
interface Came {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly length: number;
}

/** More of a body than that is a film's, and only counted. */
const MAX_TEXT = 100_000;

/** Of a film that comes whole, so much is read. */
const ENOUGH = 2_000_000;

/** The length of a body that is all that was promised. */
function wholeFilm({ headers, body }: Exchange['answer']): number | undefined {
  if (body.kind !== 'bytes' || headers?.['content-length'] !== String(body.length)) return undefined;
  return body.length > ENOUGH ? body.length : undefined;
}

function ask(
  { backend }: Sandbox,
  agent: Agent,
  { request, answer }: Exchange,
  ids: ReadonlyMap<string, string>,
  nzb: (file: string) => string,
): Promise<Came> {
  const login = Buffer.from(`${backend.username}:${backend.password}`).toString('base64');
  const other = Buffer.from('nobody:nothing').toString('base64');
  const ours = (text: string) =>
    [...ids]
      .reduce((all, [from, to]) => all.replaceAll(from, to), text)
      .replace(/\{API_KEY\}|<sab-api-key>/g, backend.apiKey);
  const authorization = request.headers['authorization']
    ?.replace(/\{WEBDAV_LOGIN\}|<dav-user:dav-password>/, login)
    .replace('{OTHER_LOGIN}', other);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, ours(value)] as const);
  const body = Buffer.from(bodyOf(request, nzb));
  const target = ours(request.target);
  return new Promise((resolve, reject) => {
    const req = httpRequest(backend.webdavUrl, {
      agent,
      method: request.method,
      path: target,
      headers: {
        ...Object.fromEntries(headers),
        ...(authorization === undefined ? {} : { authorization }),
        ...(body.length > 0 ? { 'content-length': body.length } : {}),
      },
    });
    req.once('error', reject);
    req.once('response', (res) => {
      let length = 0;
      const kept: Buffer[] = [];
      const done = () => {
        const text = Buffer.concat(kept).toString('utf8');
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, length });
      };
      const whole = wholeFilm(answer);
      res.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (whole !== undefined && length > ENOUGH) {
          length = whole;
          res.destroy();
        }
        if (length < MAX_TEXT) kept.push(chunk);
      });
      res.once('close', done);
      res.once('error', () => undefined);
    });
    req.end(body);
  });
}

/** A body as it was sent, with an NZB where one was; InfiniDysk's are told in words. */
function bodyOf({ body }: Exchange['request'], nzb: (file: string) => string): string {
  const told = /^multipart\/form-data: part "(\w+)", filename "([^"]*)"/.exec(body);
  if (told !== null) return partOf('boundary7', told[1] ?? '', told[2] ?? '', nzb(told[2] ?? ''));
  const file = /filename="([^"]*)"/.exec(body)?.[1] ?? '';
  const whole = body.replace(/<\d+ bytes of NZB>/, () => nzb(file));
  return whole.startsWith('------') ? `${whole.replace(/\r?\n/g, '\r\n').trimEnd()}\r\n` : whole;
}

const partOf = (boundary: string, field: string, file: string, data: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${file}"\r\n\r\n${data}\r\n--${boundary}--\r\n`;

function compare({ name, request, answer }: Exchange, came: Came): void {
  const { status, headers, body } = answer;
  expect([name, came.status]).toEqual([name, status]);
  if (headers !== undefined) {
    const form = {
      exactLength: body.kind !== 'text' || body.text.trim() === '',
      tellsConnection: name.startsWith('nzbdav/'),
    };
    expect([name, headerForm(came.headers, form)]).toEqual([name, headerForm(headers, form)]);
  }
  switch (body.kind) {
    case 'bytes':
      expect([name, came.length]).toEqual([name, body.length]);
      break;
    case 'broken':
      expect([name, came.headers['content-length']]).toEqual([name, String(body.promised)]);
      expect(came.length).toBeLessThan(body.promised);
      break;
    case 'text':
      expect([name, documentForm(came.text, request.target, body.cut)]).toEqual([
        name,
        documentForm(body.text, request.target, body.cut),
      ]);
  }
}

function documentForm(text: string, target: string, cut: boolean): unknown {
  if (text.includes('<D:multistatus')) return OF_THE_RUN.test(target) ? listingForm(text) : xmlForm(text);
  if (!text.startsWith('{')) return jsonForm(text.trim());
  return cut ? firstSlots(text) : jsonForm(JSON.parse(text));
}

/** Of a history of which only the beginning was kept. */
const CUT_SLOTS = 3;
function firstSlots(text: string): unknown {
  return [...text.matchAll(/\{"nzo_id"[^{}]*\}/g)]
    .slice(0, CUT_SLOTS)
    .map(([slot]) => jsonForm(JSON.parse(slot)));
}

let number = 0;

/** A release of the lab. @param more What it is like; by itself a film of one file. */
export function post(name: string, more: Partial<CatalogueRelease> = {}): CatalogueRelease {
  return {
    guid: `1ab00000-0000-4000-8000-${String(++number).padStart(12, '0')}`,
    of: BIG_BUCK_BUNNY,
    name,
    categories: [2000],
    size: 40_000_000,
    videos: [video(`${name}.mkv`, 40_000_000)],
    posted: '2026-11-22T15:00:00.000Z',
    grabs: 1,
    poster: 'lab@sandbox.invalid',
    usenetGroup: 'alt.binaries.sandbox',
    ...more,
  };
}

export const video = (path: string, size: number): Video => ({
  path,
  size,
  seconds: 60,
  container: path.endsWith('.mp4') ? 'mp4-front' : 'mkv',
});
