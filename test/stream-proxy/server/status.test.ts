import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PREPARE_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import type { RunningProxy } from '../../../src/stream-proxy.ts';
import { type FileServer, startFileServer } from '../../support/file-server.ts';
import { askPrepare, play, requestProxy, startTestProxy } from '../../support/proxy.ts';

/** So large that its middle is not read ahead at once. */
const SIZE = 400_000_007;
const MIDDLE = 200_000_000;
/** One for each place in which a source may carry a secret. */
const CANARIES = {
  user: 'canary-user',
  password: 'canary-pass word',
  query: 'canary-query-key',
  path: 'canary-path',
  header: 'canary-header-value',
  cookie: 'canary-cookie',
  answer: 'canary-from-upstream',
} as const;

let proxy: RunningProxy & { readonly lines: string[] };
let files: FileServer;

beforeEach(async () => {
  files = await startFileServer(SIZE);
  proxy = await startTestProxy({ policies: { prepare: { ...PREPARE_POLICY, pauses: [0, 10] } } });
});

afterEach(async () => {
  await proxy.close();
  await files.close();
});

const askStatus = (options: { readonly method?: string } = {}) =>
  requestProxy(`http://127.0.0.1:${proxy.port}/status`, {
    ...options,
    headers: { authorization: `Bearer ${proxy.token}` },
  });

interface Status {
  readonly sessions: readonly Readonly<Record<string, unknown>>[];
}

/** A source with a canary wherever one fits. */
function secretive() {
  const { user, password, query, path, header, cookie } = CANARIES;
  const url = new URL(files.url);
  url.username = user;
  url.password = password;
  url.pathname = `/${path}${url.pathname}`;
  url.searchParams.set('apikey', query);
  return {
    url: url.href,
    name: 'Sintel.mkv',
    headers: { 'X-Secret': header, Cookie: `session=${cookie}` },
  };
}

describe('GET /status', () => {
  it('is never kept, and can be asked for by HEAD', async () => {
    const answer = await askStatus();
    expect([answer.status, answer.json()]).toEqual([200, { sessions: [] }]);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'application/json' });
    const head = await askStatus({ method: 'HEAD' });
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      answer.headers['content-length'],
    ]);
  });

  it('tells per session what is played, from where, how much, how fast, and what went wrong', async () => {
    const prepared = (await askPrepare(proxy, { url: files.url, name: 'Sintel.mkv' })).json();
    const { id, url } = prepared as { readonly id: string; readonly url: string };
    await play(url, 'bytes=-10');
    const [session] = ((await askStatus()).json() as Status).sessions;
    expect(session).toMatchObject({
      id: id.slice(0, 8),
      name: 'Sintel.mkv',
      size: SIZE,
      mime: 'video/x-matroska',
      from: `127.0.0.1:${files.port}`,
      counters: {
        bytesOut: 10,
        requests: 1,
        active: 0,
        retries: 0,
        stalls: 0,
        filled: 0,
        lost: 0,
        switches: 0,
      },
      fills: [],
      decisions: [],
    });
    expect(Object.keys(session ?? {}).sort()).toEqual([
      'buffer',
      'counters',
      'decisions',
      'fills',
      'from',
      'id',
      'latency',
      'mime',
      'name',
      'size',
      'unusedFor',
    ]);
  });

  it('tells the reason of what was decided', async () => {
    const { url } = (await askPrepare(proxy, secretive())).json() as { readonly url: string };
    let faults = 1;
    files.plan(({ first }) => (first > MIDDLE / 2 && first <= MIDDLE && faults-- > 0 ? { status: 503 } : {}));
    expect(await play(url, `bytes=${MIDDLE}-${MIDDLE + 9}`)).toMatchObject({
      complete: true,
      wrongAt: undefined,
    });
    const [session] = ((await askStatus()).json() as Status).sessions;
    expect(session?.['decisions']).toContainEqual({
      at: expect.any(Number) as number,
      what: expect.stringMatching(/^retry at byte \d+: /) as string,
    });
  });
});

describe('no secret of a source', () => {
  it('is in any answer or line of the log, whatever goes wrong', async () => {
    const shown: string[] = [];
    const show = (answer: { readonly headers: object; readonly body: Buffer }) =>
      shown.push(JSON.stringify(answer.headers), answer.body.toString('latin1'));
    const prepared = await askPrepare(proxy, secretive());
    show(prepared);
    const { url } = prepared.json() as { readonly url: string };
    for (const headers of [
      { location: `http://127.0.0.1:${files.port}/?key=${CANARIES.answer}` },
      { 'www-authenticate': `Basic realm="${CANARIES.answer}"` },
      { 'content-range': 'nonsense' },
    ])
      for (const status of [206, 302, 401, 404]) {
        files.plan(() => ({ status, headers }));
        show(await askPrepare(proxy, secretive()));
      }
    files.plan(() => ({ status: 401, headers: { 'www-authenticate': `Basic realm="${CANARIES.answer}"` } }));
    expect(await play(url, `bytes=${MIDDLE}-`)).toMatchObject({ complete: false });
    show(await requestProxy(url, { method: 'HEAD' }));
    show(await requestProxy(url, { headers: { range: `bytes=${SIZE}-` } }));
    show(await requestProxy(url, { method: 'POST' }));
    show(await askPrepare(proxy, { ...secretive(), name: 5 }));
    show(await askPrepare(proxy, { ...secretive(), headers: { 'X-Secret': `${CANARIES.header}\n` } }));
    const status = await askStatus();
    show(status);
    shown.push(...proxy.lines, JSON.stringify(proxy.sessions()));
    // Something was shown at all.
    expect(proxy.lines.filter((line) => line.includes('prepare failed')).length).toBeGreaterThan(8);
    expect((status.json() as Status).sessions).not.toEqual([]);
    for (const canary of [...Object.values(CANARIES), proxy.token])
      for (const form of formsOf(canary)) expect(shown.filter((text) => text.includes(form))).toEqual([]);
  });
});

function formsOf(secret: string): string[] {
  const login = `${CANARIES.user}:${CANARIES.password}`;
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(login).toString('base64'),
  ];
}
