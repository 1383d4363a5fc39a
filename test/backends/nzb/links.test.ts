import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { fetchNzb } from '../../../src/backends/nzb/fetch.ts';
import { openSourceLimits } from '../../../src/backends/nzb/source-limits.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { deferred } from '../../../src/io/deferred.ts';
import { unlessAborted } from '../../../src/io/wait.ts';
import type { Link } from '../../../src/model/index.ts';
import { link, release } from '../../release/candidates.ts';
import { serve } from '../../support/http-server.ts';
import { memoryLog } from '../../support/log.ts';
import { nzbText, postedFile } from '../../support/nzb.ts';

const NZB = nzbText([postedFile('Sintel.2010.mkv', 2)]);
const OTHER = nzbText([postedFile('Sintel.2010.mkv', 3)]);
const LIMIT = '<error code="501" description="Download limit reached"/>';

/** Nobody gets any time: whoever does not answer at once counts as silent. */
const AT_ONCE = { patience: () => Promise.resolve() };

const fetching = (links: readonly [Link, ...Link[]], options: Partial<Parameters<typeof fetchNzb>[1]> = {}) =>
  fetchNzb(release({ links }), {
    signal: new AbortController().signal,
    log: memoryLog(),
    ...options,
  });

/** One link for each answer, all at one server; `asked` fills with the paths that were asked. */
async function links(...answers: readonly string[]) {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url ?? '');
    response.end(answers[Number(request.url?.slice(1))]);
  });
  const at = (place: number, fields: Partial<Link> = {}) =>
    link({ url: `${url}/${place}`, indexer: `Indexer ${place}`, ...fields });
  return { asked, at };
}

describe('a link that keeps silent', () => {
  test('gets another beside it, and its request is broken off when that delivers', async () => {
    const closed = deferred<undefined>();
    const silent = await serve((request) => {
      once(request.socket, 'close').then(() => {
        closed.resolve(undefined);
      }, closed.reject);
    });
    const { at } = await links(NZB);
    const nzb = await fetching([link({ url: silent }), at(0)], AT_ONCE);
    expect(nzb.segmentCount).toBe(2);
    await closed.promise;
  });

  test('is still taken when it delivers before the one beside it', async () => {
    let deliver: () => void = () => undefined;
    const slow = await serve((_, response) => {
      deliver = () => response.end(NZB);
    });
    const beside = await serve(() => {
      deliver();
    });
    expect((await fetching([link({ url: slow }), link({ url: beside })], AT_ONCE)).segmentCount).toBe(2);
  });

  test('has ended its silence with the first byte', async () => {
    const heard = deferred<undefined>();
    const slow = await serve((_, response) => {
      response.writeHead(200).write(NZB.slice(0, 100));
      heard.promise.then(
        () => response.end(NZB.slice(100)),
        () => undefined,
      );
    });
    const { at, asked } = await links(OTHER);
    const patience = async (until: AbortSignal) => {
      const ended = unlessAborted(deferred<undefined>().promise, until);
      await ended.finally(() => {
        heard.resolve(undefined);
      });
    };
    expect((await fetching([link({ url: slow }), at(0)], { patience })).segmentCount).toBe(2);
    expect(asked).toEqual([]);
  });

  test('is told when all fail', async () => {
    const fail = deferred<undefined>();
    const preferred = await serve((_, response) => {
      fail.promise.then(
        () => response.writeHead(503).end(),
        () => undefined,
      );
    });
    const beside = await serve((_, response) => {
      response.writeHead(404).end();
      fail.resolve(undefined);
    });
    const fetch = fetching([link({ url: preferred, indexer: 'First' }), link({ url: beside })], AT_ONCE);
    await expect(fetch).rejects.toMatchObject({
      code: 'SERVICE_ERROR',
      broken: false,
      explanation: { what: 'The indexer First could not deliver the NZB.' },
    });
  });
});

describe('an indexer that delivers no more', () => {
  test('is not asked for another release', async () => {
    const { at, asked } = await links(LIMIT, NZB, NZB);
    const limits = openSourceLimits();
    const spent = { indexer: 'Spent' };
    await expect(fetching([at(0, spent)], { limits })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    expect((await fetching([at(1, spent), at(2)], { limits })).segmentCount).toBe(2);
    expect(asked).toEqual(['/0', '/2']);
  });

  test('is told when there is no other link, without being asked', async () => {
    const { at, asked } = await links(LIMIT, NZB);
    const limits = openSourceLimits();
    const spent = { indexer: 'Spent' };
    await expect(fetching([at(0, spent)], { limits })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(fetching([at(1, spent)], { limits })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      explanation: { what: expect.stringContaining('The indexer Spent allows no more downloads') as string },
    });
    expect(asked).toEqual(['/0']);
  });

  test('is another one than its namesake at another source, and than others behind the same manager', async () => {
    const { at, asked } = await links(LIMIT, NZB, NZB);
    const limits = openSourceLimits();
    await expect(fetching([at(0, { indexer: 'A', source: 'one' })], { limits })).rejects.toThrow();
    await fetching([at(1, { indexer: 'A', source: 'two' })], { limits });
    await fetching([at(2, { indexer: 'B', source: 'one' })], { limits });
    expect(asked).toEqual(['/0', '/1', '/2']);
  });

  test('is one by its own word only: what else fails is asked again', async () => {
    const { at, asked } = await links('<error code="900" description="Unknown"/>', NZB);
    const limits = openSourceLimits();
    await expect(fetching([at(0, { indexer: 'A' })], { limits })).rejects.toThrow();
    await fetching([at(1, { indexer: 'A' })], { limits });
    expect(asked).toEqual(['/0', '/1']);
  });
});

test('who breaks off two releases is passed over, and no other name of its list at the same origin', () => {
  const limits = openSourceLimits();
  const at = (indexer: string, n: number) =>
    link({ url: `http://addon.example/play/${n}`, indexer, plays: true });
  const failure = new SlipstreamError(
    'SERVICE_ERROR',
    { what: 'It breaks off.', next: 'Wait.' },
    { failsAll: true },
  );
  const isPassedOver = (indexer: string) => limits.limitOf(at(indexer, 9)) !== undefined;
  limits.record(at('A', 1), failure);
  limits.record(at('A', 1), failure);
  limits.record(at('B', 2), failure);
  expect(isPassedOver('A')).toBe(false);
  limits.record(at('A', 3), failure);
  expect([isPassedOver('A'), isPassedOver('B')]).toEqual([true, false]);
});
