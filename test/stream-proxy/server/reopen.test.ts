import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { deferred } from '../../../src/io/deferred.ts';
import { pause } from '../../../src/io/wait.ts';
import { PREPARE_POLICY, READ_POLICY, REOPEN_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import {
  type ProxyOptions,
  type ReopenedStream,
  type ReopenFailure,
  type RunningProxy,
  streamProxy,
} from '../../../src/stream-proxy.ts';
import { type FileServer, startFileServer } from '../../support/file-server.ts';
import { play, prepare, requestProxy, startTestProxy } from '../../support/proxy.ts';

const SIZE = 300_007;
const LOGIN = { Authorization: 'Basic bWU6aGVsbG8td29ybGQ=' };

let files: FileServer;
let proxy: RunningProxy;
let reopened: ReopenedStream[];
let refused: ReopenFailure[];
/** What the settings hold for the share. */
let credentials: Record<string, string> | undefined;

const options = (): Partial<ProxyOptions> => ({
  onReopened: (stream) => reopened.push(stream),
  onReopenFailed: (stream) => refused.push(stream),
  credentials: () => Promise.resolve(credentials),
});

beforeEach(async () => {
  files = await startFileServer(SIZE);
  [reopened, refused, credentials] = [[], [], undefined];
  proxy = await startTestProxy(options());
});
afterEach(async () => {
  await proxy.close();
  await files.close();
});

const WHOLE = { complete: true, wrongAt: undefined };
const GONE = { status: 404 };
const copy = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A film that was played and has ended. */
async function endedFilm(headers: Record<string, string> = {}) {
  const { url, id } = await prepare(proxy, files.url, 'Sintel.mkv', headers);
  proxy.setNotes(id, 'notes');
  proxy.endSession(id);
  return { url, id };
}

describe('a stream that has ended', () => {
  it('is opened again under its address, and the service is told before its first byte', async () => {
    const { url, id } = await endedFilm();
    expect(proxy.sessions()).toEqual([]);
    expect(await play(url, 'bytes=1000-')).toMatchObject({ status: 206, ...WHOLE });
    expect(reopened).toEqual([{ url, notes: 'notes' }]);
    expect(proxy.sessions().map((session) => session.id)).toEqual([id]);
    expect(proxy.snapshot().ended).toEqual([]);
    proxy.endSession(id);
    expect(await play(url)).toMatchObject(WHOLE);
    expect(reopened).toHaveLength(2);
  });

  it('is opened once for two who ask at the same time', async () => {
    const { url } = await endedFilm();
    const before = files.requests.length;
    const both = await Promise.all([play(url, 'bytes=0-'), play(url, 'bytes=0-')]);
    expect(both).toMatchObject([WHOLE, WHOLE]);
    expect(reopened).toHaveLength(1);
    expect(files.requests.slice(before).filter(({ first }) => first === 0)).toHaveLength(1);
  });

  it('is opened though who asked first has left', async () => {
    const { url } = await endedFilm();
    const { reopenSession } = streamProxy;
    const { promise, resolve } = deferred<undefined>();
    streamProxy.reopenSession = async (...about) => {
      await promise;
      return await reopenSession(...about);
    };
    onTestFinished(() => {
      streamProxy.reopenSession = reopenSession;
    });
    const leaving = new AbortController();
    const left = fetch(url, { signal: leaving.signal }).catch(() => 'left');
    const playing = play(url);
    leaving.abort();
    expect(await left).toBe('left');
    resolve(undefined);
    expect(await playing).toMatchObject(WHOLE);
    expect(reopened).toHaveLength(1);
  });

  it('is not opened for a player that has left, and nobody is told; it is when the player comes back', async () => {
    const { url } = await endedFilm();
    const before = files.requests.length;
    files.plan(() => ({ stallAfter: -1 }));
    const leaving = new AbortController();
    const left = fetch(url, { signal: leaving.signal }).catch(() => 'left');
    await expect.poll(() => files.requests.length).toBe(before + 1);
    leaving.abort();
    expect(await left).toBe('left');
    await files.requests.at(-1)?.over;
    files.plan(() => ({}));
    expect([proxy.sessions(), reopened, refused]).toEqual([[], [], []]);
    expect(await play(url)).toMatchObject(WHOLE);
    expect([reopened.length, refused]).toEqual([1, []]);
  });

  it('is not opened for a subtitle', async () => {
    const { url } = await endedFilm();
    const before = files.requests.length;
    const subtitle = new URL('sub/0/Sintel.srt', url);
    expect((await requestProxy(subtitle.href)).status).toBe(404);
    expect(files.requests).toHaveLength(before);
    expect([reopened, refused]).toEqual([[], []]);
  });

  it('answers HEAD from what is known, and is not opened for it', async () => {
    const { url } = await endedFilm();
    const before = files.requests.length;
    const answer = await requestProxy(url, { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-length': String(SIZE), 'accept-ranges': 'bytes' });
    expect(files.requests).toHaveLength(before);
    expect([reopened, refused]).toEqual([[], []]);
  });

  it('waits for no connection that was kept: a sleep has cut them all, and nobody tells', async () => {
    const { url, id } = await prepare(proxy, files.url);
    // One is ready for the first seek.
    await expect.poll(() => files.connections()).toBeGreaterThan(0);
    proxy.endSession(id);
    // Unused, it would be kept for 4.5 s.
    await expect.poll(() => files.connections(), { timeout: 2_000 }).toBe(0);
    expect(await play(url)).toMatchObject(WHOLE);
  });

  it('is kept by an engine that replaces the one it ended in', async () => {
    const { url } = await endedFilm();
    const { port } = proxy;
    const snapshot = copy(proxy.snapshot());
    await proxy.close();
    proxy = await startTestProxy({ ...options(), listen: { port }, snapshot });
    expect(await play(url)).toMatchObject(WHOLE);
    expect(reopened).toEqual([{ url, notes: 'notes' }]);
  });

  it('gets 404 when it was not to be played after all', async () => {
    const { url } = await prepare(proxy, files.url);
    await requestProxy(url, { method: 'DELETE', headers: { authorization: `Bearer ${proxy.token}` } });
    expect((await requestProxy(url)).status).toBe(404);
    expect(reopened).toEqual([]);
  });
});

describe('what opens a share', () => {
  it('is in no snapshot of a stream that has ended, and is asked for again', async () => {
    const { url } = await endedFilm(LOGIN);
    expect(JSON.stringify(proxy.snapshot())).not.toContain(LOGIN.Authorization.slice(6));
    credentials = { authorization: 'Basic bWU6Y2hhbmdlZC1zaW5jZQ==' };
    expect(await play(url)).toMatchObject(WHOLE);
    expect(files.requests.at(-1)?.headers.authorization).toBe(credentials['authorization']);
  });

  it('is not asked for where the stream needed none', async () => {
    const { url } = await endedFilm();
    credentials = { authorization: 'Basic bWU6Y2hhbmdlZC1zaW5jZQ==' };
    expect(await play(url)).toMatchObject(WHOLE);
    expect(files.requests.at(-1)?.headers.authorization).toBeUndefined();
  });
});

describe('a stream that has ended and cannot be opened again', () => {
  const refusal = async (url: string) => {
    const answer = await requestProxy(url);
    return [answer.status, (answer.json() as { code: string }).code];
  };

  it('is refused when its file is gone, the service is told, and the next time it is looked for again', async () => {
    const { url } = await endedFilm();
    files.plan(() => GONE);
    const asked = performance.now();
    expect(await refusal(url)).toEqual([502, 'PREPARE_FAILED']);
    // At once, for the person looks at a spinner.
    expect(performance.now() - asked).toBeLessThan(3_000);
    expect(refused).toMatchObject([{ url, notes: 'notes', isFileGone: true }]);
    expect(proxy.sessions()).toEqual([]);
    files.plan(() => ({}));
    expect(await play(url)).toMatchObject(WHOLE);
  });

  it('is refused when a file of another size is there', async () => {
    const { url } = await endedFilm();
    const other = { 'content-range': `bytes 0-${SIZE}/${SIZE + 1}`, 'content-length': String(SIZE + 1) };
    files.plan(() => ({ headers: other }));
    expect(await refusal(url)).toEqual([502, 'BAD_ANSWER']);
    expect(reopened).toEqual([]);
    expect(refused).toMatchObject([{ isFileGone: true }]);
  });

  it('is refused when a file of other bytes is there, though its size and version are the same', async () => {
    const { url } = await endedFilm();
    files.plan(() => ({ bytes: { first: 1000, last: SIZE - 1 }, headers: {} }));
    expect((await refusal(url))[0]).toBe(502);
    expect(reopened).toEqual([]);
    expect(refused).toMatchObject([{ isFileGone: true }]);
  });

  it.each([
    ['a server that refuses the login', 401, 'AUTH_FAILED', 1],
    ['a server with an error of its own', 500, 'SERVICE_ERROR', 3],
  ])('is refused for what %s says, and its film is not called gone', async (_who, status, code, asked) => {
    const { url } = await endedFilm();
    const before = files.requests.length;
    files.plan(() => ({ status }));
    expect(await refusal(url)).toEqual([502, code]);
    expect(files.requests.length - before).toBe(asked);
    expect(refused).toMatchObject([{ error: { code }, isFileGone: false }]);
  });

  describe('because its server refuses everything', () => {
    const AWAY = { status: 503 };
    /** Milliseconds. */
    const BACK_AFTER = 3_000;
    const startWith = async (policies: ProxyOptions['policies']) => {
      await proxy.close();
      proxy = await startTestProxy({ ...options(), ...(policies !== undefined && { policies }) });
    };
    /** How often it is asked for another play of the film. */
    const asked = async (url: string) => {
      const before = files.requests.length;
      expect(await refusal(url)).toEqual([502, 'SERVICE_ERROR']);
      expect(refused.at(-1)).toMatchObject({ error: { code: 'SERVICE_ERROR' }, isFileGone: false });
      return files.requests.length - before;
    };

    it('is waited for: at a wake it is back after seconds, and its film plays', async () => {
      const { url } = await endedFilm();
      const back = performance.now() + BACK_AFTER;
      files.plan(() => (performance.now() < back ? AWAY : {}));
      expect(await play(url)).toMatchObject(WHOLE);
      expect([reopened.length, refused]).toEqual([1, []]);
    });

    it('is waited for also where nothing listens', async () => {
      const { url } = await endedFilm();
      await files.close();
      const playing = play(url);
      await pause(BACK_AFTER, new AbortController().signal);
      expect([reopened, refused]).toEqual([[], []]);
      files = await startFileServer(SIZE, undefined, { at: files.port });
      expect(await playing).toMatchObject(WHOLE);
    });

    it('is given up in time for the player to hear of it, and then asked once', async () => {
      await startWith({ reopen: { ...REOPEN_POLICY, refusedTimeout: 1_500 } });
      const { url } = await endedFilm();
      files.plan(() => AWAY);
      expect(await asked(url)).toBeGreaterThan(1);
      expect(await asked(url)).toBe(1);
    });

    it('is asked once where the film had ended because it refuses', async () => {
      await startWith({ read: { ...READ_POLICY, refusedTimeout: 1 } });
      const { url, id } = await prepare(proxy, files.url);
      await requestProxy(url, { headers: { range: 'bytes=0-9' } });
      files.plan(() => AWAY);
      // What it fails of is known by then.
      await requestProxy(url, { headers: { range: `bytes=${SIZE - 10}-` } }).catch(() => undefined);
      expect(proxy.sessions()[0]?.trouble?.kind).toBe('refused');
      proxy.endSession(id);
      expect(await asked(url)).toBe(1);
    });

    it('is asked once where it was asked at the end of the film, and did not answer', async () => {
      const { url, id } = await prepare(proxy, files.url);
      files.plan(() => AWAY);
      expect(await proxy.checkServer(id)).toMatchObject({ code: 'SERVICE_ERROR' });
      proxy.endSession(id);
      expect(await asked(url)).toBe(1);
    });

    it('is waited for again once that is long ago', async () => {
      await startWith({ reopen: { refusedTimeout: 1_500, refusalMemory: 0 } });
      const { url } = await endedFilm();
      files.plan(() => AWAY);
      expect(await asked(url)).toBeGreaterThan(1);
      expect(await asked(url)).toBeGreaterThan(1);
    });

    it('has the tries of any other once it answers, with an error of its own', async () => {
      const { url } = await endedFilm();
      const before = files.requests.length;
      files.plan((_request, index) => (index < before + 3 ? AWAY : { status: 500 }));
      expect(await asked(url)).toBe(3 + PREPARE_POLICY.maxTries);
    });
  });

  it('is refused for what it failed of last when its time is up', async () => {
    await proxy.close();
    proxy = await startTestProxy({
      ...options(),
      policies: { prepare: { ...PREPARE_POLICY, nextByteTimeout: 1_500 } },
    });
    const { url } = await endedFilm();
    const before = files.requests.length;
    files.plan((_request, index) => (index === before ? { status: 500 } : { stallAfter: -1 }));
    expect(await refusal(url)).toEqual([502, 'SERVICE_ERROR']);
  });
});
