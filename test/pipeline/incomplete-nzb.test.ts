import { describe, expect, onTestFinished, test } from 'vitest';
import { type CatalogueRelease, SINTEL as SINTEL_TITLE, whenQuery } from '../../sandbox/index.ts';
import { nzbOf } from '../../sandbox/indexer/nzb.ts';
import { startNzbget } from '../../sandbox/nzbget/index.ts';
import { router } from '../../src/router.ts';
import { released } from '../backends/labs.ts';
import { type Pipeline, pipeline, SINTEL } from './set-up.ts';

const RELEASE: CatalogueRelease = released('Sintel.2010.1080p.BluRay.DTS.x264-ISHTAR');
/** Its NZB as a crawler delivers it that has missed an article. */
const LACKING = nzbOf(RELEASE).replace(/<segment [^>]*number="700"[^>]*>[^<]*<\/segment>/, '');

/** The next grab, or every one, gets the NZB that lacks a segment. */
function lackSegment({ sandbox }: Pipeline, times = Number.POSITIVE_INFINITY): void {
  sandbox.faults.indexer.push({
    kind: 'body',
    body: LACKING,
    type: 'application/x-nzb',
    when: whenQuery('t', 'get'),
    times,
  });
}

describe(`an NZB of ${SINTEL_TITLE.title} that lacks a segment`, () => {
  test('is not handed to a backend that streams: the next release plays', async () => {
    const p = await pipeline({ settings: { max_attempts: '3' } });
    lackSegment(p, 1);
    expect(await p.resolve(SINTEL)).toBe(true);
    expect(p.sandbox.requests.filter(whenQuery('t', 'get'))).toHaveLength(2);
    expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
    const told = 'The indexer Sandbox delivered an NZB that lacks 1 of the 2,093 pieces of the film.';
    expect(p.host.progress.some(({ detail = '' }) => detail.includes(told))).toBe(true);
    expect(p.host.notified).toEqual([]);
  });

  test('is told when no other release may be tried', async () => {
    const p = await pipeline();
    lackSegment(p);
    expect(await p.resolve(SINTEL)).toBe(false);
    expect(p.sandbox.requests.some(whenQuery('mode', 'addfile'))).toBe(false);
    expect(p.host.notified).toMatchObject([{ next: 'Try another release.' }]);
  });

  test('goes to a download client as it came, which repairs it', async () => {
    const nzbget = await startNzbget({ jobDuration: 50 });
    onTestFinished(() => nzbget.close());
    const { url, username, password, folder } = nzbget;
    const p = await pipeline({
      settings: {
        playback_backend: 'nzbget',
        nzbget_url: url,
        nzbget_folder: folder,
        nzbget_username: username,
        nzbget_password: password,
        nzbget_movie_category: 'Movies',
        nzbget_tv_category: 'Series',
      },
    });
    lackSegment(p);
    // What it leaves in its folder is too small for a film, which is the sandbox's economy.
    await p.resolve(SINTEL);
    const appended = nzbget.requests.filter(({ query }) => query['rpc'] === 'append');
    expect(appended.map(({ params }) => Buffer.from(String(params[1]), 'base64').toString())).toEqual([
      LACKING,
    ]);
  });
});

describe('an NZB that lacks nothing', () => {
  test('tells the proxy how large its articles are', async () => {
    const p = await pipeline();
    const { resolver } = router;
    const asked: unknown[] = [];
    const prepareStream: typeof resolver.prepareStream = (file, proxy, signal) => {
      asked.push(file.serving?.articleBytes);
      return resolver.prepareStream(file, proxy, signal);
    };
    expect(
      await p.resolve(SINTEL, {
        ...router,
        addMetadata: (request) => Promise.resolve(request),
        resolver: { ...resolver, prepareStream },
      }),
    ).toBe(true);
    const [, bytes] = /<segment bytes="(\d+)"/.exec(nzbOf(RELEASE)) ?? [];
    expect(asked).toEqual([Number(bytes)]);
  });
});
