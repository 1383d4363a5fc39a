import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mkvClip } from '../../../sandbox/index.ts';
import type { Nzb } from '../../../src/backends/backend.ts';
import { directStreamBackend } from '../../../src/backends/direct-stream/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import type { JobProgress, MediaRequest, Playable } from '../../../src/model/index.ts';
import { prepareStream } from '../../../src/resolver/prepare.ts';
import { closedPort, serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { startTestProxy } from '../../support/proxy.ts';
import { EPISODE, FILM, released } from '../labs.ts';
import { judgedNzbFor, playJudged, QUICK, startLab } from './lab.ts';

/** StreamNZB as protocols.md §8.1 describes it. */
const live = () => new AbortController().signal;

async function setUp() {
  const lab = await startLab('streamnzb');
  onTestFinished(() => lab.close());
  const seen: JobProgress[] = [];
  const play = async (nzb: Nzb = lab.film.nzb, request: MediaRequest = FILM) => {
    const options = { signal: live(), timeout: 1_000, onProgress: (p: JobProgress) => seen.push(p) };
    return await playJudged(lab.backend, nzb, request, { name: 'Big.Buck.Bunny-0a1b', options });
  };
  return { ...lab, play, seen };
}

/** Plays by whatever answers at an address; through the proxy, a proxy opens what is located. */
function playerOf(url: string, via: Playable['via'] = 'player', times = QUICK) {
  const backend = directStreamBackend({ kind: 'streamnzb', url, apiKey: 'k', via }, memoryLog(), times);
  const play = async (timeout = 20_000) => {
    const nzb = await judgedNzbFor(released('Big.Buck.Bunny.2008.480p.DVDRip.x264-MEADOW'));
    const job = await backend.submit(nzb, 'Big.Buck.Bunny-0a1b', FILM, live());
    const options = { signal: live(), timeout, onProgress: () => undefined };
    const ready = await backend.waitUntilReady(job, options);
    const { file } = await backend.locate(ready, FILM, live());
    if (file.via === 'player') return { size: file.size, from: new URL(file.url).host };
    const proxy = await startTestProxy();
    onTestFinished(() => proxy.close());
    const { size } = await prepareStream(file, proxy, live());
    return { size, from: proxy.sessions()[0]?.from };
  };
  return { backend, play };
}

const codeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'none',
    (error: unknown) => (error instanceof SlipstreamError ? error.code : String(error)),
  );

test('the stream blocks, and is asked by ranged GET alone', async () => {
  const { play, seen, sandbox } = await setUp();
  const { file } = await play();
  // The service names no file: it is called as its release, with the ending of its content.
  expect(file).toMatchObject({ via: 'player', name: 'Big.Buck.Bunny-0a1b.mkv', size: 240_000_000 });
  expect(seen.map(({ stage }) => stage)).toEqual(['opening', 'verifying', 'ready']);
  const opened = sandbox.requests.filter(({ path }) => path.includes('/play/direct-'));
  expect(opened.length).toBeGreaterThan(0);
  for (const { method, headers } of opened)
    expect([method, headers['range']]).toEqual(['GET', 'bytes=0-4095']);
});

describe.each(['player', 'proxy'] as const)('of its addresses, through the %s', (via) => {
  /** A service that names an outside address; `atBase` is what its own path answers. */
  async function setUpAddresses(atBase: RequestListener, outside: string) {
    const url = await serve((request, response) => {
      request.resume();
      if (request.method === 'POST')
        response.end(JSON.stringify({ play_path: PATH, play_url: PATH, external_play_url: outside + PATH }));
      else if (request.url === '/') response.end('StreamNZB');
      else atBase(request, response);
    });
    const { play } = playerOf(url, via);
    return { own: new URL(url).host, play };
  }
  const PATH = '/token/play/direct-1';
  const SIZE = 240_000_000;
  const film: RequestListener = ({ headers: { range = '' } }, response) => {
    const [, first = '0', end = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
    const last = end === '' ? SIZE - 1 : Number(end);
    response.writeHead(206, {
      'content-type': 'video/x-matroska',
      'content-range': `bytes ${first}-${last}/${SIZE}`,
    });
    // Nobody reads further than a proof does.
    response.write(CLIP.read(Number(first), Math.min(last + 1, Number(first) + 200_000)));
  };
  const CLIP = mkvClip({ name: 'film.mkv', seconds: 60, size: SIZE });
  const inTurn = (...answers: readonly RequestListener[]): RequestListener => {
    let at = 0;
    return (...exchange) => answers[Math.min(at++, answers.length - 1)]?.(...exchange);
  };
  const gone: RequestListener = (_request, response) => response.writeHead(404).end('404 page not found');
  const breakOff: RequestListener = (_request, response) => response.socket?.resetAndDestroy();
  /** As an address that no packet comes back from. */
  const silence = () => serve(() => undefined);
  const told = async (outcome: Promise<unknown>) =>
    outcome.then(
      () => 'it plays',
      (error: unknown) => String(error),
    );

  test('the one that answers is played, though the outside is silent and it takes its time', async () => {
    let opened = 0;
    const slow: RequestListener = (...exchange) => {
      opened++;
      setTimeout(() => {
        film(...exchange);
      }, 2 * QUICK.open);
    };
    const { own, play } = await setUpAddresses(slow, await silence());
    expect(await play()).toEqual({ size: SIZE, from: own });
    // What the wait has opened is what is played.
    expect(opened).toBe(1);
  });

  test.each<[string, RequestListener]>([
    ['not let through', gone],
    ['a page', (_request, response) => response.end('<!DOCTYPE html><html></html>')],
  ])('the outside one is, where its own is %s', async (_case, atBase) => {
    const outside = await serve(film);
    const { play } = await setUpAddresses(atBase, outside);
    expect(await play()).toEqual({ size: SIZE, from: new URL(outside).host });
  });

  test('none is, where its own tells of a failure', async () => {
    const opened: string[] = [];
    const outside = await serve((request, response) => {
      opened.push(request.url ?? '');
      film(request, response);
    });
    const notice: RequestListener = (_request, response) =>
      response.writeHead(307, { location: '/error/failure.mp4' }).end();
    const { play } = await setUpAddresses(notice, outside);
    expect(await codeOf(play())).toBe('JOB_FAILED');
    expect(opened).toEqual([]);
  });

  describe('of which the outside one is closed', () => {
    test.each<[string, RequestListener]>([
      ['breaks off once', inTurn(breakOff, film)],
      ['breaks off twice', inTurn(breakOff, breakOff, film)],
      ['is out of order for a moment', inTurn((_request, response) => response.writeHead(503).end(), film)],
    ])('its own is given time where it %s', async (_case, atBase) => {
      const { own, play } = await setUpAddresses(atBase, await closedPort());
      expect(await play()).toEqual({ size: SIZE, from: own });
    });

    test('its own has no provider where it breaks off each play', async () => {
      const { play } = await setUpAddresses(breakOff, await closedPort());
      expect(await told(play(60_000))).toMatch(
        'SERVICE_ERROR: StreamNZB takes the order and breaks off each play: no usenet provider works there.',
      );
    });

    test('what its own says is told, at once, where that has no such stream', async () => {
      const { play } = await setUpAddresses(gone, await closedPort());
      const begun = performance.now();
      expect(await told(play(60_000))).toMatch('StreamNZB named a stream that is not there.');
      expect(performance.now() - begun).toBeLessThan(10_000);
    });
  });
});

test('a stream that blocks for longer than it takes to find it plays through the proxy within the wait', async () => {
  const SIZE = 3_000_000;
  const clip = mkvClip({ name: 'film.mkv', seconds: 60, size: SIZE });
  const times = { ...QUICK, locate: 300 };
  const url = await serve((request, response) => {
    request.resume();
    if (request.method === 'POST') response.end(JSON.stringify({ play_path: '/token/play/direct-1' }));
    else
      setTimeout(() => {
        response.writeHead(206, {
          'content-type': 'video/x-matroska',
          'content-range': `bytes 0-${SIZE - 1}/${SIZE}`,
        });
        response.end(clip.read(0, SIZE));
      }, 4 * times.locate);
  });
  const { play } = playerOf(url, 'proxy', times);
  expect((await play()).size).toBe(SIZE);
  await expect(play(2 * times.locate)).rejects.toMatchObject({ code: 'JOB_TIMEOUT' });
});

test('a stream that is not ready says when to come again', async () => {
  const { play, sandbox, film, backend } = await setUp();
  const job = await backend.submit(film.nzb, 'x', FILM, live());
  // Longer than it may be silent: it is not.
  sandbox.faults.busy = { times: 30, retryAfter: '5' };
  const options = { signal: live(), timeout: 5_000, onProgress: () => undefined };
  await backend.waitUntilReady(job, options);
  expect(sandbox.faults.busy.times).toBe(0);
  expect((await play()).file.size).toBe(240_000_000);
});

describe('is a failure', () => {
  test.each([
    ['a notice after a failure', {}, 'JOB_FAILED'],
    ['a stub', { stream: 'stub' }, 'DAMAGED'],
    ['a page', { stream: 'page' }, 'JOB_FAILED'],
  ] as const)('%s', async (_case, faults, code) => {
    const { play, sandbox, nextJobs } = await setUp();
    if (code === 'JOB_FAILED' && !('stream' in faults)) nextJobs('fails');
    Object.assign(sandbox.faults, faults);
    expect(await codeOf(play())).toBe(code);
  });

  test('a pack of which nobody says what is played', async () => {
    const { play } = await setUp();
    const pack = await judgedNzbFor(released('Caminandes.S01.1080p.WEB-DL.x264-PACKED'));
    expect(await codeOf(play(pack, EPISODE))).toBe('SUBMIT_REFUSED');
  });

  test('a version that is too old', async () => {
    const { play, sandbox } = await setUp();
    sandbox.faults.absent = true;
    expect(await codeOf(play())).toBe('BAD_ANSWER');
  });
});

test('a service that breaks off each play while it answers otherwise has no provider', async () => {
  const url = await serve((request, response) => {
    request.resume();
    if (request.method === 'POST') response.end(JSON.stringify({ play_path: '/token/play/direct-1' }));
    else if (request.url === '/') response.end('StreamNZB');
    else response.socket?.resetAndDestroy();
  });
  await expect(playerOf(url).play()).rejects.toThrow(
    'SERVICE_ERROR: StreamNZB takes the order and breaks off each play: no usenet provider works there.',
  );
});

test('another episode than the chosen one is not played, when the stream says what it is', async () => {
  const head = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(4092)]);
  const url = await serve((request, response) => {
    request.resume();
    if (request.method === 'POST') {
      response.end(JSON.stringify({ play_path: '/token/play/direct-1' }));
      return;
    }
    response.writeHead(206, {
      'content-type': 'video/x-matroska',
      'content-range': 'bytes 0-4095/300000000',
      'content-disposition': 'attachment; filename="Caminandes.S01E03.Llamigos.mkv"',
    });
    response.end(head);
  });
  const backend = directStreamBackend(
    { kind: 'streamnzb', url, apiKey: 'k', via: 'player' },
    memoryLog(),
    QUICK,
  );
  const nzb = await judgedNzbFor(released('Caminandes.S01E02.Gran.Dillama.720p.WEB-DL.x264-ANDES'));
  const options = { signal: live(), timeout: 1_000, onProgress: () => undefined };
  const play = (request: MediaRequest) =>
    playJudged(backend, nzb, request, { name: 'Caminandes.S01E02-0a1b', options });
  expect(await codeOf(play(EPISODE))).toBe('NO_VIDEO');
  const third = { ...EPISODE, episode: { season: 1, episode: 3 } };
  expect((await play(third)).file.name).toBe('Caminandes.S01E03.Llamigos.mkv');
});

test('a single episode is played', async () => {
  const { play } = await setUp();
  const nzb = await judgedNzbFor(released('Caminandes.S01E02.Gran.Dillama.720p.WEB-DL.x264-ANDES'));
  expect((await play(nzb, EPISODE)).file.size).toBe(300_000_000);
});
