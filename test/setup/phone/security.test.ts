import { once } from 'node:events';
import net, { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SERVICES } from '../../../src/connections/services/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { type Asking, phoneStage, type Stage } from './stage.ts';

const KEY = 'canary-key-5d1f';
const PASSWORD = 'canary:password/"9b';

const IN_PATH = 'canary-path-3c2e';

const STORED = {
  indexer_url: 'http://127.0.0.1:9/api',
  indexer_api_key: KEY,
  webdav_api_url: 'http://192.168.1.10:3000',
  webdav_api_key: KEY,
  webdav_password: PASSWORD,
  stremio_url: `https://addon.example/${KEY}/manifest.json`,
  hydra_url: `http://user:${KEY}@192.168.1.10:5076`,
  prowlarr_url: `http://192.168.1.10:9696/?apikey=${KEY}`,
  nzbget_url: `http://192.168.1.10:6789/nzbget:${IN_PATH}/jsonrpc`,
  direct_url: `http://192.168.1.10:7000/${IN_PATH}/manifest.json`,
};

const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const isGone = (stage: Stage) =>
  stage.ask('/').then(
    () => false,
    () => true,
  );
const bearer = async (stage: Stage) => {
  const { token } = (await stage.pair()).json() as { token: string };
  return { authorization: `Bearer ${token}` };
};

describe('the code on the TV', () => {
  it('has six digits, stands behind # in the picture, and is another one each time', async () => {
    const { code, host, authority } = await phoneStage();
    expect(code).toMatch(/^\d{6}$/);
    expect(await host.person.waitFor('card')).toMatchObject({ address: `http://${authority}/#${code}` });
    const codes = await Promise.all([1, 2, 3].map(async () => (await phoneStage()).code));
    expect(new Set([code, ...codes]).size).toBeGreaterThan(1);
  });

  it('is exchanged once for 256 random bits', async () => {
    const stage = await phoneStage();
    const { token } = (await stage.pair()).json() as { token: string };
    expect(Buffer.from(token, 'base64url').byteLength).toBe(32);
    const second = await stage.pair();
    expect([second.status, second.json()]).toMatchObject([409, { code: 'BUSY' }]);
    expect(second.text).not.toContain(token);
  });

  it('ends the set-up when it was wrong five times, and says so', async () => {
    const stage = await phoneStage();
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await stage.pair(wrong(stage.code));
      expect(answer.status).toBe(401);
      if (left > 0) expect(answer.json()['next']).toContain(left === 1 ? 'one try' : `${left} tries`);
    }
    await expect(stage.over).rejects.toThrow(SlipstreamError);
    await expect(stage.over).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    expect(await isGone(stage)).toBe(true);
    expect(stage.host.open()).toBe(0);
  });

  it('is worth nothing after five wrong ones, even while the server is still there', async () => {
    const stage = await phoneStage();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => stage.pair(wrong(stage.code))),
      ...Array.from({ length: 3 }, () => stage.pair(wrong(stage.code)).catch(() => undefined)),
    ]);
    expect(answers.filter((answer) => answer?.status === 401)).toHaveLength(5);
    const late = await stage.pair().catch(() => undefined);
    expect(late?.status ?? 409).toBe(409);
  });
});

describe('who may ask', () => {
  const PATHS = ['/', '/main.mjs', '/api/settings'];

  it.each(PATHS)('refuses %s under another Host: a name that was pointed here', async (path) => {
    const stage = await phoneStage();
    const { port } = new URL(`http://${stage.authority}`);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `localhost:${port}`])
      expect((await stage.ask(path, { headers: { host } })).status, host).toBe(421);
  });

  it('refuses two Hosts', async () => {
    const stage = await phoneStage();
    expect(await raw(stage, `GET / HTTP/1.1\r\nHost: ${stage.authority}\r\nHost: x\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 4/,
    );
  });

  const FOREIGN: readonly [string, Record<string, string | undefined>][] = [
    ['another origin', { origin: 'http://evil.example' }],
    ['no origin', { origin: undefined }],
    ['an opaque origin', { origin: 'null' }],
    ['another site by Fetch Metadata', { 'sec-fetch-site': 'cross-site' }],
    ['the same site but another origin', { 'sec-fetch-site': 'same-site' }],
    ['a foreign referrer', { referer: 'http://evil.example/' }],
  ];
  it.each(FOREIGN)('refuses to change anything for %s', async (_name, headers) => {
    const stage = await phoneStage();
    const all: Record<string, string | undefined> = {
      origin: `http://${stage.authority}`,
      'content-type': 'application/json',
      ...(await bearer(stage)),
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const asking: Asking = { method: 'POST', headers: given as Record<string, string> };
    const answer = await stage.ask('/api/settings', {
      ...asking,
      body: { values: { indexer_name: 'Other' } },
    });
    expect(answer.status).toBe(403);
    expect(stage.host.settings).toEqual({});
  });

  it('answers nobody’s preflight, and gives no page leave to read', async () => {
    const stage = await phoneStage();
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' };
    const preflight = await stage.ask('/api/settings', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(405);
    for (const answer of [preflight, await stage.ask('/', { headers })])
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it.each(['/api/settings', '/api/test', '/api/sources', '/api/discover', '/api/done', '/api/none'])(
    'refuses %s without the token, and with another',
    async (path) => {
      const stage = await phoneStage({ settings: STORED });
      const origin = { origin: `http://${stage.authority}`, 'content-type': 'application/json' };
      const tokens = [undefined, '', 'Bearer ', 'Bearer undefined', `Bearer ${'A'.repeat(43)}`];
      for (const when of ['before', 'after']) {
        if (when === 'after') await stage.pair();
        for (const method of ['GET', 'POST'])
          for (const token of tokens) {
            const headers = { ...origin, ...(token !== undefined && { authorization: token }) };
            const answer = await stage.ask(path, { method, headers, ...(method === 'POST' && { body: {} }) });
            expect([answer.status, answer.json()], `${method} ${token ?? ''} ${when}`).toMatchObject([
              401,
              { code: 'AUTH_FAILED' },
            ]);
          }
      }
    },
  );
});

describe('every answer', () => {
  it('lets nothing be loaded from elsewhere, framed, guessed or kept', async () => {
    const stage = await phoneStage();
    await stage.pair();
    for (const path of ['/', '/style.css', '/main.mjs', '/icon.svg', '/nothing', '/api/settings']) {
      const { headers } = await stage.send(path);
      expect(headers, path).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      const policy = headers['content-security-policy'] as string;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
    }
  });

  it('has a page without anything inline, and nothing of another host', async () => {
    const stage = await phoneStage();
    const { text } = await stage.ask('/');
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|https?:\/\//);
    expect(text.match(/<script[^>]*>[^<]/g)).toBeNull();
    const style = await stage.ask('/style.css');
    expect(style.text).toContain('prefers-color-scheme');
    expect(style.text).not.toMatch(/url\(|@import/);
    const names = new Set(['main']);
    // What is added while it goes on is looked at as well.
    for (const name of names) {
      const script = await stage.ask(`/${name}.mjs`);
      expect([script.status, script.headers['content-type']]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ]);
      expect(script.text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
      for (const [, imported] of script.text.matchAll(/from '\.\/([\w-]+)\.mjs'/g)) names.add(imported!);
    }
    expect(names.size).toBeGreaterThan(10);
  });

  it('never holds a secret, nor an address that has one in it', async () => {
    const stage = await phoneStage({ settings: STORED });
    await stage.pair();
    const answers = [
      await stage.send('/api/settings'),
      await stage.send('/api/settings', { values: { indexer_url: 'http://evil.example/' } }),
      await stage.send('/api/test', { service: 'newznab', values: {} }),
      await stage.send('/api/settings', { values: { webdav_api_key: KEY } }),
      await stage.send('/api/test', {
        service: 'webdav',
        values: { webdav_api_url: `http://${PASSWORD}@x` },
      }),
    ];
    const text = answers.map((answer) => answer.text).join('\n');
    for (const canary of [
      KEY,
      IN_PATH,
      PASSWORD,
      JSON.stringify(PASSWORD).slice(1, -1),
      encodeURIComponent(PASSWORD),
    ])
      expect(text).not.toContain(canary);
    const { settings } = answers[0]!.json() as {
      settings: { id: string; isSet?: boolean; value?: unknown }[];
    };
    for (const id of [
      ...['indexer_api_key', 'webdav_password', 'stremio_url', 'hydra_url', 'prowlarr_url'],
      ...['nzbget_url', 'direct_url'],
    ]) {
      const shown = settings.find((each) => each.id === id);
      expect(shown).toMatchObject({ isSet: true });
      expect(shown).not.toHaveProperty('value');
    }
    expect(settings.find(({ id }) => id === 'tmdb_api_key')).toMatchObject({ isSet: false });
    expect(settings.find(({ id }) => id === 'webdav_api_url')?.value).toBe(STORED.webdav_api_url);
  });

  it('leaves no code, token or key in the log', async () => {
    const stage = await phoneStage({ settings: STORED });
    const { token } = (await stage.pair()).json() as { token: string };
    await stage.send('/api/test', { service: 'newznab', values: { indexer_api_key: 'another-canary-77' } });
    await stage.send('/api/settings', { values: { tmdb_api_key: 'third-canary-78' } });
    stage.abort();
    await stage.over.catch(() => undefined);
    const log = stage.log.join('\n');
    expect(log).toContain(stage.authority);
    for (const secret of [stage.code, token, KEY, 'another-canary-77', 'third-canary-78'])
      expect(log).not.toContain(secret);
  });
});

describe('a stored secret', () => {
  const ELSEWHERE: readonly [string, Record<string, string>][] = [
    ['indexer_url', { indexer_url: 'http://192.168.1.66/api' }],
    ['an address without its scheme', { indexer_url: '192.168.1.66/api' }],
    ['the WebDAV address', { webdav_url: 'http://192.168.1.66:8080' }],
    ['an address that was https', { webdav_api_url: 'http://safe.example' }],
  ];
  it.each(ELSEWHERE)('goes to no other machine by %s: neither tested nor saved', async (_name, values) => {
    const settings = {
      ...STORED,
      ...('webdav_api_url' in values && { webdav_api_url: 'https://safe.example' }),
    };
    const stage = await phoneStage({ settings });
    await stage.pair();
    for (const [path, service] of [
      ['/api/settings', {}],
      ['/api/test', { service: 'newznab' }],
    ] as const) {
      const answer = await stage.send(path, { ...service, values });
      expect([answer.status, answer.json()]).toMatchObject([
        400,
        { setting: expect.stringMatching(/key|password/) as string },
      ]);
    }
    expect(stage.host.settings).toEqual(settings);
  });

  it('belongs to the addresses whose ids begin with the same word, for every service', () => {
    for (const { fields } of SERVICES)
      expect(new Set(fields.map(({ setting }) => setting.split('_')[0])).size).toBe(1);
  });

  it('stays when only a port or a path changes, and goes with an address that brings a new one', async () => {
    const stage = await phoneStage({ settings: STORED });
    await stage.pair();
    const port = await stage.send('/api/settings', {
      values: { webdav_api_url: 'http://192.168.1.10:3001/x' },
    });
    expect(port.status).toBe(200);
    const moved = await stage.send('/api/settings', {
      values: { indexer_url: 'https://indexer.example', indexer_api_key: 'new' },
    });
    expect(moved.status).toBe(200);
    expect(stage.host.settings).toMatchObject({ indexer_api_key: 'new', webdav_api_key: KEY });
  });
});

describe('what is sent', () => {
  it('is bounded', async () => {
    const stage = await phoneStage();
    await stage.pair();
    const large = await stage.send('/api/settings', { values: { indexer_name: 'x'.repeat(70_000) } });
    expect(large.status).toBe(413);
    expect((await stage.ask(`/${'x'.repeat(300)}`)).status).toBe(400);
    expect(
      await raw(stage, `GET / HTTP/1.1\r\nHost: ${stage.authority}\r\nX: ${'x'.repeat(9000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 431/);
    const chunked = `POST /api/session HTTP/1.1\r\nHost: ${stage.authority}\r\nOrigin: http://${stage.authority}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await raw(stage, chunked)).toMatch(/^HTTP\/1.1 411/);
  });

  it('has to be JSON, of what the page sends', async () => {
    const stage = await phoneStage();
    const headers = { origin: `http://${stage.authority}`, ...(await bearer(stage)) };
    const post = (type: string, body: unknown) =>
      stage.ask('/api/settings', { method: 'POST', headers: { ...headers, 'content-type': type }, body });
    expect((await post('text/plain', '{"values":{}}')).status).toBe(415);
    expect((await post('application/x-www-form-urlencoded', 'values=1')).status).toBe(415);
    for (const body of ['', '{', '[]', '7', '{"values":7}', '{"values":{"indexer_name":{}}}'])
      expect((await post('application/json', body)).status, body).toBe(400);
    expect(stage.host.settings).toEqual({});
  });

  it('comes over a bounded number of connections, of which the unused make room', async () => {
    const stage = await phoneStage();
    const { hostname, port } = new URL(`http://${stage.authority}`);
    const sockets = Array.from({ length: 40 }, () => connect(Number(port), hostname));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    let ended = 0;
    for (const socket of sockets)
      socket
        .once('error', () => undefined)
        .once('close', () => ended++)
        .resume();
    await expect.poll(() => ended, { timeout: 3_000 }).toBe(40 - 24);
    expect((await stage.ask('/')).status).toBe(200);
  });

  it('finds no room where every connection is in use', async () => {
    const stage = await phoneStage({ phone: { connections: { connections: 1 } } });
    const { hostname, port } = new URL(`http://${stage.authority}`);
    const busy = connect(Number(port), hostname);
    onTestFinished(() => void busy.destroy());
    // Its body does not come, so that its answer does not end.
    const head = [
      'POST /api/session HTTP/1.1',
      `Host: ${stage.authority}`,
      `Origin: http://${stage.authority}`,
    ];
    const body = ['Content-Type: application/json', 'Content-Length: 9', 'Expect: 100-continue'];
    busy.write([...head, ...body, '', ''].join('\r\n'));
    await once(busy, 'data');
    const refused = await stage.ask('/');
    expect([refused.status, refused.json()]).toEqual([503, expect.objectContaining({ code: 'BUSY' })]);
    busy.destroy();
    await expect.poll(async () => (await stage.ask('/')).status, { timeout: 3_000 }).toBe(200);
  });

  it('is taken further where a connection could not be taken', async () => {
    const listen = vi.spyOn(net.Server.prototype, 'listen');
    onTestFinished(() => {
      listen.mockRestore();
    });
    const stage = await phoneStage();
    // What Node does where accept() fails.
    const [server] = listen.mock.contexts as net.Server[];
    server?.emit('error', Object.assign(new Error('accept EMFILE'), { syscall: 'accept' }));
    expect(stage.log.join('\n')).toContain('could not take a connection: accept EMFILE');
    expect((await stage.ask('/')).status).toBe(200);
  });

  it('cuts off who reads no answer', async () => {
    const { authority } = await phoneStage({ phone: { connections: { pipelined: Infinity } } });
    const { hostname, port } = new URL(`http://${authority}`);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let isCutOff = false;
    socket.once('error', () => undefined).once('close', () => (isCutOff = true));
    // Of so many answers most do not get into what the system keeps for a connection.
    const request = `GET /style.css HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
    const asking = setInterval(() => socket.write(request.repeat(500)), 100);
    onTestFinished(() => {
      clearInterval(asking);
    });
    await expect.poll(() => isCutOff, { timeout: 15_000 }).toBe(true);
  });

  it('cuts off who asks for more and more without waiting', async () => {
    const stage = await phoneStage();
    const request = `GET /style.css HTTP/1.1\r\nHost: ${stage.authority}\r\n\r\n`;
    expect((await raw(stage, request.repeat(100))).split('HTTP/1.1 200').length).toBeLessThan(100);
  });

  it('cuts off who dribbles a request', async () => {
    const stage = await phoneStage();
    const answer = await raw(stage, `GET / HTTP/1.1\r\nHost: ${stage.authority}\r\n`, 9_000);
    expect(answer).toMatch(/^(?:HTTP\/1.1 408|$)/);
  });
});

/** What comes for these bytes, until the other side ends the connection. */
function raw(stage: Stage, bytes: string, wait = 3_000): Promise<string> {
  const { hostname, port } = new URL(`http://${stage.authority}`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const timer = setTimeout(() => {
      reject(new Error(`the connection was not ended; until then: ${text}`));
      socket.destroy();
    }, wait);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.once('error', () => undefined);
    socket.write(bytes);
  });
}
