import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { mkvClip } from '../../sandbox/index.ts';
import { closedPort, serve } from '../support/http-server.ts';
import { playFirst, playLink } from './play-link.ts';

const SIZE = 3_000_000;
const CLIP = mkvClip({ name: 'Sintel.mkv', seconds: 60, size: SIZE });

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** A service of which each path answers in its own way; what was asked is noted. */
async function startService(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const base = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    asked.push(request.url ?? '');
    const answer = answers[pathname];
    if (answer === undefined) response.writeHead(404).end('not found');
    else answer(response, request);
  });
  return { base, asked, play: asked.filter.bind(asked, (path) => path.startsWith('/play')) };
}

const film: Answer = (response, { headers: { range = '' } }) => {
  const [, from = '0', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const [first, last] = [Number(from), to === '' ? SIZE - 1 : Number(to)];
  response.writeHead(206, {
    'content-type': 'video/x-matroska',
    'content-length': last - first + 1,
    'content-range': `bytes ${first}-${last}/${SIZE}`,
  });
  response.end(CLIP.read(first, last + 1));
};

const leadTo =
  (location: string): Answer =>
  (response) =>
    response.writeHead(307, { location }).end();

const refuse =
  (status: number, body: string, retryAfter?: string): Answer =>
  (response) =>
    response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(body);

const breakOff: Answer = (response) => response.socket?.resetAndDestroy();

const inTurn = (...answers: readonly Answer[]): Answer => {
  let at = 0;
  return (response, request) => answers[Math.min(at++, answers.length - 1)]?.(response, request);
};

const PLAYS = { stream: { size: SIZE } };
const failure = (code: string, what: RegExp | string) => ({
  failure: { code, explanation: { what: expect.stringMatching(what) as string } },
});

describe.each(['proxy', 'player'] as const)('through the %s', (via) => {
  describe('a redirect to a clip', () => {
    test.each([
      ['no_matching_file', 'NO_VIDEO', 'no such episode'],
      ['401', 'AUTH_FAILED', 'account'],
      ['403', 'AUTH_FAILED', 'account'],
      ['payment_required', 'AUTH_FAILED', 'account'],
      ['429', 'RATE_LIMITED', 'used up a limit'],
      ['store_limit_exceeded', 'RATE_LIMITED', 'used up a limit'],
      ['content_proxy_limit_reached', 'RATE_LIMITED', 'used up a limit'],
      ['download_failed', 'JOB_FAILED', 'parts of it are lost, or its provider is away'],
      ['unavailable_for_legal_reasons', 'JOB_FAILED', 'may not give'],
      ['500', 'JOB_FAILED', 'a notice instead of the film'],
      ['200', 'JOB_FAILED', 'a notice instead of the film'],
    ])('%s is final at once, and its name is the reason', async (clip, code, what) => {
      const { base, asked } = await startService({ '/play': leadTo(`/static/${clip}.mp4`) });
      const { outcome } = await playLink({ url: `${base}/play` }, { via });
      expect(outcome).toMatchObject(failure(code, what));
      expect(asked).toEqual(['/play']);
    });

    test('that says "downloading" is asked again', async () => {
      const { base, asked } = await startService({
        '/play': inTurn(leadTo('/static/downloading.mp4'), film),
      });
      expect((await playLink({ url: `${base}/play` }, { via, timeout: 20_000 })).outcome).toMatchObject(
        PLAYS,
      );
      expect(asked.slice(0, 2)).toEqual(['/play', '/play']);
    });

    test('where the bytes are is one too', async () => {
      const stream = '/api/v1/usenet/stream/abc';
      const { base, asked } = await startService({
        '/play': leadTo(stream),
        [stream]: leadTo('/static/download_failed.mp4'),
      });
      expect((await playLink({ url: `${base}/play` }, { via })).outcome).toMatchObject(
        failure('JOB_FAILED', 'parts of it are lost'),
      );
      expect(asked).toHaveLength(2);
    });
  });

  test('AIOStreams is asked to answer failures in writing', async () => {
    const stream = '/api/v1/usenet/stream/abc';
    const detail = 'this release is currently unstreamable (data missing on every provider)';
    const { base, asked } = await startService({
      '/play': leadTo(`${stream}?x=1`),
      [stream]: refuse(503, JSON.stringify({ success: false, detail })),
    });
    const { outcome } = await playLink({ url: `${base}/play` }, { via });
    expect(outcome).toMatchObject(failure('JOB_FAILED', 'currently unstreamable'));
    expect(asked).toEqual(['/play', `${stream}?x=1&download`]);
  });

  test('what an account refuses is not asked for again in this play, and others are', async () => {
    const first = await startService({ '/play/1': leadTo('/static/payment_required.mp4'), '/play/2': film });
    const other = await startService({ '/play': film });
    const addon = { source: 'one', indexer: 'One' };
    const { outcome } = await playFirst(
      [
        { url: `${first.base}/play/1`, ...addon },
        { url: `${first.base}/play/2`, ...addon },
        { url: `${other.base}/play`, source: 'two', indexer: 'Two' },
      ],
      { via },
    );
    expect(outcome).toMatchObject(PLAYS);
    expect(first.asked).toEqual(['/play/1']);
    expect(other.asked).not.toHaveLength(0);
  });

  test('a limit that nobody else helps out of is what is told', async () => {
    const { base, asked } = await startService({ '/play': leadTo('/static/429.mp4') });
    const { outcome } = await playFirst([{ url: `${base}/play` }, { url: `${base}/play` }], { via });
    expect(outcome).toMatchObject({ code: 'RATE_LIMITED' });
    expect(asked).toHaveLength(1);
  });

  describe('what is not ready', () => {
    test('is asked for again until it is', async () => {
      const later = refuse(503, 'processing', '0');
      const { base } = await startService({ '/play': inTurn(later, later, later, film) });
      expect((await playLink({ url: `${base}/play` }, { via, timeout: 10_000 })).outcome).toMatchObject(
        PLAYS,
      );
    });

    test('is asked for twice where each request is a new grab', async () => {
      const { base, asked } = await startService({ '/play': refuse(503, 'processing', '0') });
      const { outcome } = await playLink(
        { url: `${base}/play`, service: 'altmount' },
        { via, timeout: 20_000 },
      );
      expect(outcome).toMatchObject({ failure: { code: 'SERVICE_ERROR' } });
      expect(asked).toHaveLength(2);
    });

    test.each(['NZB processing failed', 'No streams available', 'Failed to prepare NZB stream'])(
      'and never will be, is asked for once: %s',
      async (message) => {
        const body = JSON.stringify({ error: { code: 'SERVICE_UNAVAILABLE', details: '', message } });
        const { base, asked } = await startService({ '/play': refuse(503, body, '10') });
        const { outcome } = await playLink({ url: `${base}/play`, service: 'altmount' }, { via });
        expect(outcome).toMatchObject(failure('JOB_FAILED', message));
        expect(asked).toEqual(['/play']);
      },
    );
  });

  describe('an origin at which nothing listens', () => {
    test('is left for the one that has listed the stream', async () => {
      const nowhere = await closedPort();
      const stream = '/api/v1/usenet/stream/abc';
      const { base } = await startService({ '/play': leadTo(`${nowhere}${stream}`), [stream]: film });
      const { outcome } = await playLink({ url: `${nowhere}/play?a=1`, listedAt: base }, { via });
      expect(outcome).toMatchObject(PLAYS);
    });

    test.each([
      ['has no such path', async () => (await startService({})).base],
      ['does not answer either', closedPort],
    ])('is named at once, with the setting, where that one %s', async (_what, own) => {
      const nowhere = await closedPort();
      const begun = performance.now();
      const { outcome } = await playLink(
        { url: `${nowhere}/play`, listedAt: await own() },
        { via, timeout: 60_000 },
      );
      expect(outcome).toMatchObject(failure('UNREACHABLE', nowhere));
      expect(outcome).toHaveProperty('failure.explanation.next', expect.stringContaining('BASE_URL'));
      expect(performance.now() - begun).toBeLessThan(10_000);
    });

    test('is waited for where it is the one that has listed the stream', async () => {
      const nowhere = await closedPort();
      const begun = performance.now();
      const link = { url: `${nowhere}/play`, listedAt: nowhere };
      const { outcome } = await playLink(link, { via, timeout: 3_000 });
      expect(['JOB_TIMEOUT', 'UNREACHABLE']).toContain(codeOf(outcome));
      expect(performance.now() - begun).toBeGreaterThan(1_200);
    });
  });

  describe('a service that breaks off each play', () => {
    test('while it answers otherwise has no provider', async () => {
      const { base, asked } = await startService({ '/play': breakOff });
      const link = { url: `${base}/play`, service: 'streamnzb' } as const;
      const { outcome } = await playLink(link, { via, timeout: 60_000 });
      expect(outcome).toMatchObject(
        failure(
          'SERVICE_ERROR',
          'Example takes the order and breaks off each play: no usenet provider works there.',
        ),
      );
      expect(asked.filter((path) => path === '/')).toHaveLength(1);
    });

    test.each([undefined, 'aiostreams'] as const)(
      'and that need not read usenet says nothing of a provider: %s',
      async (service) => {
        const { base } = await startService({ '/play': breakOff });
        const link = { url: `${base}/play`, ...(service !== undefined && { service }) };
        const { outcome } = await playLink(link, { via, timeout: 60_000 });
        expect(outcome).toMatchObject(
          failure('SERVICE_ERROR', 'Example answers, and breaks off this play before it begins.'),
        );
      },
    );

    test('is passed over for the rest of the play, and others that are listed beside it are not', async () => {
      const dead = await startService({ '/play/1': breakOff, '/play/2': film });
      const other = await startService({ '/play': film });
      const played = await playFirst(
        [`${dead.base}/play/1`, `${dead.base}/play/2`, `${other.base}/play`].map((url) => ({
          url,
          service: 'streamnzb' as const,
        })),
        { via, timeout: 60_000 },
      );
      expect(played.outcome).toMatchObject(PLAYS);
      expect(dead.asked).not.toContain('/play/2');
      expect(played.told).toEqual([expect.stringContaining('breaks off each play')]);
    });

    test('is passed over after two releases where nobody knows how it breaks off', async () => {
      const paths = ['/play/1', '/play/2', '/play/3'];
      const dead = await startService({ '/play/1': breakOff, '/play/2': breakOff, '/play/3': film });
      const other = await startService({ '/play': film });
      const urls = [...paths.map((path) => `${dead.base}${path}`), `${other.base}/play`];
      const played = await playFirst(
        urls.map((url) => ({ url })),
        { via, timeout: 60_000 },
      );
      expect(played.outcome).toMatchObject(PLAYS);
      expect(other.asked).not.toHaveLength(0);
      expect(dead.asked).not.toContain('/play/3');
    });

    test('ends no other release of an add-on that proxies several services', async () => {
      const { base } = await startService({ '/play/1': breakOff, '/play/2': film });
      const links = [1, 2].map((n) => ({ url: `${base}/play/${n}` }));
      expect((await playFirst(links, { via, timeout: 60_000 })).outcome).toMatchObject(PLAYS);
    });

    test('is told once, with its cause, where nothing else is listed', async () => {
      const { base, asked } = await startService({ '/play': breakOff });
      const link = { url: `${base}/play`, service: 'streamnzb' } as const;
      const { outcome, told } = await playFirst([link, link, link], { via, timeout: 60_000 });
      const what = 'Example takes the order and breaks off each play: no usenet provider works there.';
      expect(outcome).toMatchObject({ code: 'SERVICE_ERROR', explanation: { what } });
      expect(told).toHaveLength(1);
      expect(asked.filter((path) => path === '/')).toHaveLength(1);
    });

    test('says nothing of what else is asked for at an address that has led there', async () => {
      const dead = await startService({ '/file': breakOff });
      const { base } = await startService({ '/play/1': leadTo(`${dead.base}/file`), '/play/2': film });
      const links = [1, 2].map((n) => ({ url: `${base}/play/${n}`, service: 'streamnzb' as const }));
      expect((await playFirst(links, { via, timeout: 60_000 })).outcome).toMatchObject(PLAYS);
    });

    test('is not told so while it is restarted', async () => {
      const { base } = await startService({
        '/play': inTurn(breakOff, breakOff, breakOff, breakOff, film),
        '/': refuse(502, 'Bad Gateway'),
      });
      expect((await playLink({ url: `${base}/play` }, { via, timeout: 60_000 })).outcome).toMatchObject(
        PLAYS,
      );
    });
  });
});

test('asks no list where a clip tells that the release holds no such episode', async () => {
  const { base, asked } = await startService({ '/play': leadTo('/static/no_matching_file.mp4') });
  let lists = 0;
  const relist = () => {
    lists++;
    return Promise.resolve({ url: `${base}/play`, headers: {} });
  };
  const { outcome } = await playLink({ url: `${base}/play` }, { relist });
  expect(outcome).toMatchObject(failure('NO_VIDEO', 'no such episode'));
  expect([lists, asked]).toEqual([0, ['/play']]);
});

test('a limit that a status tells for as long as it is waited for is one, too', async () => {
  const { base } = await startService({ '/play': refuse(429, 'slow down') });
  const { outcome } = await playLink({ url: `${base}/play` });
  expect(outcome).toMatchObject(failure('RATE_LIMITED', 'used up a limit'));
});

const codeOf = (outcome: object) =>
  'failure' in outcome ? (outcome.failure as { code: string }).code : (outcome as { code: string }).code;
