import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  CATALOGUE,
  type Clip,
  INFINIDYSK,
  mkvClip,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from '../../sandbox/index.ts';
import { type Client, client, named, received } from './support/client.ts';

/** An article of the sandbox. */
const ARTICLE = 716_800;
const groupOf = (group: string) => `Cosmos.Laundromat.2015.1080p.WEB-DL.H.264-${group}`;

interface Lab {
  readonly sandbox: Sandbox;
  readonly ask: Client;
}

async function started(options: SandboxOptions = {}): Promise<Lab> {
  const sandbox = await startSandbox({ jobDuration: 0, ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, ask: client(sandbox) };
}

/** A finished job of a release, the film as it was posted, and how the file of the share is read. */
async function mounted(group: string, options: SandboxOptions = {}) {
  const { sandbox, ask } = await started(options);
  const name = groupOf(group);
  const release = named(CATALOGUE, name);
  await ask.submit(await ask.nzb(release.guid), `${name}.nzb`);
  // A job gets on when somebody asks for it.
  expect(sandbox.queueLength()).toBe(0);
  const [video] = release.videos;
  const film: Clip = mkvClip({ name: video!.path, seconds: video!.seconds, size: video!.size });
  const path = `/content/movies/${name}/${video!.path}`;
  const read = async (range?: string) => {
    const answer = await ask.dav(path, range === undefined ? {} : { headers: { range: `bytes=${range}` } });
    return {
      status: answer.status,
      length: Number(answer.headers.get('content-length')),
      ...(await received(answer)),
    };
  };
  return { sandbox, ask, film, read, path };
}

const slot = async (ask: Client, list: 'queue' | 'history') =>
  (await ask.api({ mode: list })).body[list]!['slots']![0];

describe('the front end of nzbdav', () => {
  it('ends the connection after each answer that it passes on, and keeps it after its own', async () => {
    const { sandbox } = await started();
    const port = Number(new URL(sandbox.backend.webdavUrl).port);
    /** Everything that comes on one connection, as far as it goes by itself. */
    const asked = (method: string, path: string) =>
      new Promise<{ text: string; ended: boolean }>((resolve) => {
        let text = '';
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`);
        });
        socket.setTimeout(1000, () => {
          socket.destroy();
          resolve({ text, ended: false });
        });
        socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        socket.on('end', () => {
          resolve({ text, ended: true });
        });
      });
    for (const [method, path] of [
      ['GET', '/api?mode=version'],
      ['PROPFIND', '/content/'],
      ['GET', '/content/x.mkv'],
      ['OPTIONS', '/'],
    ] as const) {
      const { text, ended } = await asked(method, path);
      expect([path, ended, /^connection: close\r$/im.test(text)]).toEqual([path, true, true]);
    }
    const { text, ended } = await asked('GET', '/');
    expect([ended, text.split('\r\n')[0]]).toEqual([false, 'HTTP/1.1 302 Found']);
  });
});

describe('an NZB that lacks a segment, at nzbdav', () => {
  const gap = { from: 30 * ARTICLE, to: 31 * ARTICLE };

  it('is spliced: behind the gap the next article follows, as if nothing were missing', async () => {
    const { film, read } = await mounted('SPLICED');
    const { status, bytes, failed } = await read(`${gap.from - 100}-${gap.from + 99}`);
    expect([status, failed]).toEqual([206, false]);
    const right = Buffer.concat([film.read(gap.from - 100, gap.from), film.read(gap.to, gap.to + 100)]);
    expect(bytes.equals(right)).toBe(true);
  });

  it('answers 404 where a range begins in the gap, and is right where it begins behind it', async () => {
    const { film, read } = await mounted('SPLICED');
    expect((await read(`${gap.from}-`)).status).toBe(404);
    expect((await read(`${gap.to - 1}-${gap.to + 5}`)).status).toBe(404);
    const behind = await read(`${gap.to}-${gap.to + 99}`);
    expect([behind.status, behind.bytes.equals(film.read(gap.to, gap.to + 100))]).toEqual([206, true]);
  });

  it('ends an article short when it is read whole', async () => {
    const { film, read } = await mounted('SPLICED');
    const { status, length, bytes, failed } = await read();
    expect([status, length, failed]).toEqual([200, film.size, true]);
    expect(bytes).toHaveLength(film.size - ARTICLE);
  });

  it('begins with the second article when the first is not listed', async () => {
    const { film, read } = await mounted('HEADLESS');
    const { status, bytes } = await read('0-99');
    expect([status, bytes.equals(film.read(ARTICLE, ARTICLE + 100))]).toEqual([206, true]);
  });

  it('is as short as what it lists when the last is not listed', async () => {
    const { film, read } = await mounted('TAILLESS');
    const last = film.size - (film.size % ARTICLE);
    expect((await read('0-9')).status).toBe(206);
    expect((await read(`${last}-`)).status).toBe(416);
  });

  it('counts the segments in the order of the document', async () => {
    const { film, read } = await mounted('REVERSED');
    const { status, length } = await read();
    expect([status, length]).toEqual([200, ARTICLE]);
    const { bytes } = await read('0-99');
    const last = film.size - (film.size % ARTICLE);
    expect(bytes.equals(film.read(last, last + 100))).toBe(true);
  });
});

describe('an archive with a password', () => {
  it('completes without it, and is served as noise under the name of the film', async () => {
    const { ask, film, path, read } = await mounted('CIPHER');
    expect(await slot(ask, 'history')).toMatchObject({ status: 'Completed', fail_message: '' });
    const head = await ask.dav(path, { method: 'HEAD' });
    expect(Number(head.headers.get('content-length'))).toBe(Math.ceil(film.size / 16) * 16);
    const { bytes: start } = await read('0-65535');
    expect(start.equals(film.read(0, 65_536))).toBe(false);
    // Noise: each byte value comes about as often as any other.
    const counts = Array.from({ length: 256 }, (_, value) => start.filter((byte) => byte === value).length);
    expect(Math.max(...counts)).toBeLessThan(512);
  });

  it('is the film where the NZB tells the password', async () => {
    const { film, read } = await mounted('OPENED');
    const { length, bytes } = await read('0-65535');
    expect([length, bytes.equals(film.read(0, 65_536))]).toEqual([65_536, true]);
  });
});

describe('a provider that cannot be had', () => {
  it.each(['away', 'refuses-login'] as const)(
    'has jobs held, and goes on with them later: %s',
    async (state) => {
      const { sandbox, ask } = await started({ hold: 50 });
      sandbox.faults.provider = state;
      await ask.submit(await ask.nzb(CATALOGUE[0]!.guid), 'Film.nzb');
      expect(await slot(ask, 'queue')).toMatchObject({ status: 'Queued', percentage: '0' });
      sandbox.faults.provider = undefined;
      await expect.poll(async () => (await slot(ask, 'history'))?.['status']).toBe('Completed');
    },
  );

  it('has a job held for a minute each time, unless it is told otherwise', async () => {
    const { sandbox, ask } = await started();
    sandbox.faults.provider = 'away';
    await ask.submit(await ask.nzb(CATALOGUE[0]!.guid), 'Film.nzb');
    expect(sandbox.queueLength()).toBe(1);
    sandbox.faults.provider = undefined;
    expect(await slot(ask, 'queue')).toMatchObject({ status: 'Queued' });
  });

  it('makes every read fail, and HEAD succeed', async () => {
    const { sandbox, ask, path, read } = await mounted('STORED');
    sandbox.faults.provider = 'away';
    expect((await read('0-99')).status).toBe(500);
    expect((await ask.dav(path, { method: 'HEAD' })).status).toBe(200);
    sandbox.faults.provider = undefined;
    expect((await read('0-99')).status).toBe(206);
  });
});

describe('the queue', () => {
  it('takes the highest priority first, and does not interrupt the running job', async () => {
    const { sandbox, ask } = await started();
    sandbox.faults.provider = 'silent';
    const nzb = await ask.nzb(CATALOGUE[0]!.guid);
    const { apiUrl, apiKey } = sandbox.backend;
    for (const [name, priority] of [
      ['first', '0'],
      ['second', '0'],
      ['urgent', '2'],
    ] as const) {
      const body = new FormData();
      body.append('nzbfile', new Blob([nzb]), `${name}.nzb`);
      const url = `${apiUrl}/api?mode=addfile&priority=${priority}`;
      await fetch(url, { method: 'POST', body, headers: { 'x-api-key': apiKey } });
    }
    expect(sandbox.jobs().map(({ name }) => name)).toEqual(['first', 'urgent', 'second']);
  });

  it('lets go of a running job only after a while, and does so although nobody waits', async () => {
    const { sandbox, ask } = await started();
    sandbox.faults.job = { kind: 'stuck', percent: 10 };
    const id = await ask.submit(await ask.nzb(CATALOGUE[0]!.guid), 'Film.nzb');
    sandbox.faults.deletion = 400;
    const { apiUrl, apiKey } = sandbox.backend;
    const gone = new AbortController();
    const url = `${apiUrl}/api?mode=queue&name=delete&value=${id}`;
    const deletion = fetch(url, { headers: { 'x-api-key': apiKey }, signal: gone.signal }).catch(
      () => 'left',
    );
    await expect.poll(() => sandbox.requests.at(-1)?.query['name']).toBe('delete');
    expect(sandbox.queueLength()).toBe(1);
    gone.abort();
    expect(await deletion).toBe('left');
    await expect.poll(() => sandbox.queueLength()).toBe(0);
  });
});

describe('InfiniDysk', () => {
  const dialect = INFINIDYSK;

  it('fills in zeros for an article that is gone', async () => {
    const { film, read } = await mounted('PUNCTURED', { dialect });
    const [from, to] = [30 * ARTICLE, 31 * ARTICLE];
    const { status, bytes, failed } = await read(`${from - 10}-${to + 9}`);
    expect([status, failed]).toEqual([206, false]);
    expect(bytes.equals(film.read(from - 10, to + 10).fill(0, 10, 10 + ARTICLE))).toBe(true);
  });

  it('breaks off, or answers 404, where the last article of a volume is gone', async () => {
    const { film, read } = await mounted('CURTAILED', { dialect });
    // Ten volumes of 15 MB, the grid of articles beginning anew in each.
    const from = film.size - (15_000_000 % ARTICLE);
    expect((await read(`${from}-${from + 9}`)).status).toBe(404);
    const { status, bytes, failed } = await read(`${from - 1000}-`);
    expect([status, failed, bytes.length <= 1000]).toEqual([206, true, true]);
  });

  it('answers 503 while its provider is away, and tells why in its warnings', async () => {
    const { sandbox, ask, read } = await mounted('STORED', { dialect });
    sandbox.faults.provider = 'away';
    expect((await read('0-99')).status).toBe(503);
    await ask.submit(await ask.nzb(CATALOGUE[0]!.guid), 'Film.nzb');
    const { body } = await ask.api({ mode: 'warnings' });
    expect(String(body['warnings']!.at(-1)!['text'])).toContain('queue item "Film" (attempt 1/20)');
    sandbox.faults.provider = undefined;
    expect((await ask.api({ mode: 'warnings' })).body).toEqual(body);
  });

  it('tells its settings to who has the key, as far as they were changed', async () => {
    const { sandbox } = await started({ dialect });
    const { apiUrl, apiKey, username } = sandbox.backend;
    const body = new URLSearchParams([
      ['config-keys', 'webdav.user'],
      ['config-keys', 'queue.max-items'],
    ]);
    const answer = await fetch(`${apiUrl}/api/get-config`, {
      method: 'POST',
      body,
      headers: { 'x-api-key': apiKey },
    });
    expect(await answer.json()).toMatchObject({
      configItems: [{ configName: 'webdav.user', configValue: username }],
      status: true,
    });
  });

  it('does not end connections, which nzbdav does', async () => {
    const { ask } = await started({ dialect });
    expect(
      (await ask.dav('/content/', { method: 'PROPFIND', headers: { depth: '0' } })).headers.get('connection'),
    ).not.toBe('close');
  });
});

describe('what fails before it is completed', () => {
  it.each([
    ['nzbdav', 'BEHEADED', {}, 'Completed', ''],
    ['InfiniDysk', 'BEHEADED', { dialect: INFINIDYSK }, 'Failed', 'Missing articles: 1 important file(s)'],
    ['nzbdav', 'PUNCTURED', {}, 'Completed', ''],
    ['nzbdav', 'CURTAILED', {}, 'Completed', ''],
  ])('%s: %s', async (_server, group, options, status, words) => {
    const { ask } = await mounted(group, options);
    const job = await slot(ask, 'history');
    expect(job?.['status']).toBe(status);
    expect(job?.['fail_message']).toContain(words);
  });

  it('leaves a film whose first byte is 404 at nzbdav', async () => {
    const { read } = await mounted('BEHEADED');
    expect((await read('0-65535')).status).toBe(404);
    expect((await read(`${ARTICLE}-${ARTICLE + 9}`)).status).toBe(206);
  });
});
