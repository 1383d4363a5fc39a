import { describe, expect, test } from 'vitest';
import { type TransportFault, whenQuery } from '../../sandbox/index.ts';
import type { Release } from '../../src/model/index.ts';
import { expectNothingLeft, type Pipeline, pipeline, SINTEL } from './set-up.ts';
import { OFFLINE } from './whole.ts';

const HYDRA = { software: 'NZBHydra2', who: 'NZBHydra2' } as const;
const WAITING = 'NZBHydra2 does not answer at the moment; waiting until it is back';
const THREE = { max_attempts: '3' };

const throughHydra = (release: Release): Release => {
  const [first, ...others] = release.links;
  return {
    ...release,
    links: [{ ...first, manager: HYDRA }, ...others.map((link) => ({ ...link, manager: HYDRA }))],
  };
};

/** By which NZBHydra2 is known to be back; the sandbox's indexer has none. */
const FRONT_PAGE: TransportFault = { kind: 'body', body: '', when: ({ path }) => path === '/' };

/** The sandbox's indexer stands for NZBHydra2. */
function behindHydra(beforeTheDownload = () => Promise.resolve()): typeof OFFLINE {
  const { resolver } = OFFLINE;
  const fetchNzb: typeof resolver.fetchNzb = async (release, options) => {
    await beforeTheDownload();
    return await resolver.fetchNzb(throughHydra(release), options);
  };
  return { ...OFFLINE, resolver: { ...resolver, fetchNzb } };
}

/** It is stopped once the film has been found. */
function stoppedBeforeTheDownload({ sandbox }: Pipeline, patience?: number): typeof OFFLINE {
  sandbox.faults.indexer.push(FRONT_PAGE);
  const stages = behindHydra(() => sandbox.shut('indexer'));
  const { resolver } = stages;
  const untilBack: typeof resolver.waitForManager = (away, context) =>
    resolver.waitForManager(away, context, patience);
  return { ...stages, resolver: { ...resolver, waitForManager: untilBack } };
}

const fetched = ({ sandbox }: Pipeline) => sandbox.requests.filter(whenQuery('t', 'get')).length;

describe('a manager of indexers that is away at the download', () => {
  test('is waited for, told as what it is, and the download goes on without a try lost', async () => {
    const p = await pipeline({
      settings: { max_attempts: '1' },
      onProgress: ({ stage }) => {
        if (stage === WAITING) p.sandbox.open('indexer').catch(() => undefined);
      },
    });
    expect(await p.resolve(SINTEL, stoppedBeforeTheDownload(p))).toBe(true);
    expect(p.host.progress.find(({ stage }) => stage === WAITING)?.detail).toMatch(/^\d+ seconds left$/);
    expect(fetched(p)).toBe(1);
    expect(p.host.notified).toEqual([]);
  });

  test('ends the play when it stays away: each other release would fail as well', async () => {
    const p = await pipeline({ settings: THREE });
    expect(await p.resolve(SINTEL, stoppedBeforeTheDownload(p, 0))).toBe(false);
    expect(p.host.notified).toMatchObject([{ what: 'NZBHydra2 cannot be reached (nothing listens there).' }]);
    expect(p.host.progress.some(({ detail = '' }) => detail.includes('Release 2 of 3'))).toBe(false);
    await expectNothingLeft(p);
  });

  test('is waited for no longer than the person likes', async () => {
    const p = await pipeline({
      settings: THREE,
      onProgress: ({ stage }, host) => {
        if (stage === WAITING) host.cancel();
      },
    });
    expect(await p.resolve(SINTEL, stoppedBeforeTheDownload(p))).toBe(false);
    await expectNothingLeft(p);
  });
});

describe('a release that NZBHydra2 has forgotten', () => {
  test('is searched for anew at the next play, and not called broken', async () => {
    const p = await pipeline();
    p.sandbox.faults.indexer.push({
      kind: 'body',
      type: 'application/xml',
      when: whenQuery('t', 'get'),
      times: 1,
      body: '<error code="300" description="Invalid or outdated search result ID"/>',
    });
    const searches = () => p.sandbox.requests.filter(whenQuery('t', 'movie')).length;
    const stages = behindHydra();
    expect(await p.resolve(SINTEL, stages)).toBe(false);
    expect(p.host.notified).toMatchObject([{ what: 'NZBHydra2 no longer knows this release.' }]);
    const before = searches();
    const [first] = p.sandbox.requests.filter(whenQuery('t', 'get'));
    expect(await p.resolve(SINTEL, stages)).toBe(true);
    expect(searches()).toBeGreaterThan(before);
    const again = p.sandbox.requests.filter(whenQuery('t', 'get')).at(-1);
    expect(again?.query['id']).toBe(first?.query['id']);
  });
});
