import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import {
  type DirectStreamSandbox,
  downloadKey,
  startDirectStream,
  WEBDAV_LOGIN,
} from '../../../sandbox/direct-stream/index.ts';
import type { CatalogueRelease } from '../../../sandbox/index.ts';
import { nzbOf } from '../../../sandbox/indexer/nzb.ts';
import type { AltMountExchange } from './altmount-transcript.ts';
import { xmlForm } from './form.ts';

const KEY = 'the-key-of-the-lab';

export interface AltMountOptions {
  /** By the name of the NZB's file, without its ending. */
  readonly posts?: readonly CatalogueRelease[];
  readonly jobDuration?: number;
  readonly clock?: number;
}

/** A sandbox to which recorded requests are put. */
export interface AltMountLab {
  readonly sandbox: DirectStreamSandbox;
  /** Hands over the NZB of that release, beside the recording. @param name As `nzbname`; absent: its id is a GUID */
  submit(release: CatalogueRelease, name?: string): Promise<void>;
  /** Reads a file of the share to its end, whatever comes. */
  readAll(path: string): Promise<void>;
  replay(exchange: AltMountExchange): Promise<void>;
  close(): Promise<void>;
}

interface Came {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly isCut: boolean;
}

export async function startAltMount({ posts = [], ...options }: AltMountOptions = {}): Promise<AltMountLab> {
  const sandbox = await startDirectStream('altmount', { apiKey: KEY, jobDuration: 0, ...options, posts });
  const basic = (password: string) => Buffer.from(`${WEBDAV_LOGIN.username}:${password}`).toString('base64');
  const ours = (text: string) =>
    Object.entries({
      '{api key}': KEY,
      '{wrong key}': 'another',
      '{download key}': downloadKey(KEY),
      '{wrong download key}': '0'.repeat(64),
      '{basic}': basic(WEBDAV_LOGIN.password),
      '{user and api key}': basic(KEY),
      '{prowlarr key}': 'of-prowlarr',
      '{prowlarr port}': '9696',
      '{number}': '1254207',
    }).reduce((all, [placeholder, value]) => all.replaceAll(placeholder, value), text);
  const nzbFor = (name: string) => {
    const release = posts.find((post) => post.name === name.replace(/\.nzb$/, '')) ?? posts[0];
    return release === undefined ? '' : nzbOf(release);
  };
  const ask = (method: string, target: string, headers: object, body = ''): Promise<Came> =>
    new Promise((resolve, reject) => {
      const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = httpRequest(sandbox.url, { method, path: target, headers: { ...headers, ...length } });
      sent.once('error', reject);
      sent.once('response', (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', () => undefined);
        answer.once('close', () => {
          const status = answer.statusCode ?? 0;
          resolve({ status, headers: answer.headers, body: Buffer.concat(chunks), isCut: !answer.complete });
        });
      });
      sent.end(body);
    });
  const login = { authorization: `Basic ${basic(WEBDAV_LOGIN.password)}` };
  return {
    sandbox,
    submit: async (release, name) => {
      const body = formOf(
        { cat: 'Movies', ...(name !== undefined && { nzbname: name }) },
        { field: 'nzbfile', name: `${release.name}.nzb` },
        nzbOf(release),
      );
      await ask('POST', `/sabnzbd/api?mode=addfile&apikey=${KEY}`, FORM, body);
      sandbox.jobs();
    },
    readAll: async (path) => {
      await ask('GET', path, login);
    },
    replay: async (exchange) => {
      const { method, target, headers, fields, file } = exchange.request;
      const sent = Object.entries(headers).map(([name, value]) => [name, ours(value)] as const);
      const nzb = file === undefined || file.isHtml ? '<html><body>Log in</body></html>' : nzbFor(file.name);
      const isForm = headers['content-type'] !== undefined;
      const body = isForm ? formOf(fields, file, nzb) : '';
      compare(exchange, await ask(method, ours(target), Object.fromEntries(sent), body), ours);
    },
    close: () => sandbox.close(),
  };
}

const FORM = { 'content-type': 'multipart/form-data; boundary=----form' };

function formOf(
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly name: string } | undefined,
  nzb: string,
): string {
  const parts = Object.entries(fields).map(([name, value]) => [`name="${name}"`, value]);
  if (file !== undefined) parts.push([`name="${file.field}"; filename="${file.name}"`, nzb]);
  return `${parts.map(([head, data]) => `------form\r\nContent-Disposition: form-data; ${head}\r\n\r\n${data}\r\n`).join('')}------form--\r\n`;
}

/** The headers that matter to a client. */
const EQUAL = [
  ...['content-type', 'content-range', 'accept-ranges', 'www-authenticate', 'content-disposition'],
  ...['x-content-type-options', 'retry-after', 'location'],
];

function compare(
  { name, request, answer }: AltMountExchange,
  came: Came,
  ours: (text: string) => string,
): void {
  const told = EQUAL.filter((each) => answer.headers[each] !== undefined);
  const expected = Object.fromEntries(told.map((each) => [each, ownHost(ours(answer.headers[each] ?? ''))]));
  const found = Object.fromEntries(
    EQUAL.filter((each) => came.headers[each] !== undefined).map((each) => [
      each,
      ownHost(String(came.headers[each])),
    ]),
  );
  expect([name, came.status, found]).toEqual([name, answer.status, expected]);
  const length = answer.headers['content-length'];
  const isFile = answer.bytes !== undefined || request.method === 'HEAD';
  if (isFile && length !== undefined && !answer.isChanged)
    expect([name, came.headers['content-length']]).toEqual([name, length]);
  if (answer.bytes !== undefined) {
    const { length: bytes, begins, isCut } = answer.bytes;
    expect([name, came.body.length, came.isCut]).toEqual([name, bytes, isCut]);
    // What a file holds is another thing here, but for what is not there.
    if (/^0+$/.test(begins)) expect([name, came.body.every((byte) => byte === 0)]).toEqual([name, true]);
  } else if (request.method !== 'HEAD') {
    const text = came.body.toString().replace(/\n$/, '');
    expect([name, documentForm(text)]).toEqual([name, documentForm(ours(answer.text))]);
  }
}

const ownHost = (text: string) => text.replace(/http:\/\/127\.0\.0\.1:\d+(?=\/api)/g, '<host>');

function documentForm(text: string): unknown {
  if (text.includes('<D:multistatus')) return xmlForm(text.replace(/<D:getetag>[^<]*/g, '<D:getetag>'));
  return text.startsWith('{') ? jsonForm(JSON.parse(text)) : text;
}

/** Numbers, sizes and times of one run. */
const OF_THE_RUN = new Set([
  ...['bytes', 'downloaded', 'completetime', 'size', 'sizeleft', 'mb', 'mbleft', 'kbpersec', 'speed', 'eta'],
  ...['total_size', 'uptime', 'pid', 'diskspace1', 'diskspacetotal1', 'loadavg', '_queue_item_id'],
]);

/** What is there is told; what it is, where it is a run's own. */
function jsonForm(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each) => jsonForm(each));
    // Streams come in an order that means nothing.
    return key === 'streams'
      ? items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
      : items;
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonForm(each, name)]));
  if (OF_THE_RUN.has(key)) return value === 0 || value === '0.00' ? value : `<${typeof value}>`;
  return typeof value === 'string' ? ownHost(value).replace(/^\d+-(?=Fact\.Life)/, '<number>-') : value;
}
