import { expect, test } from 'vitest';
import type { NzbAddress } from '../../src/backends/backend.ts';
import { OutOfReach } from '../../src/backends/nzb/out-of-reach.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { prepareSubmission } from '../../src/resolver/submission.ts';
import { type ResolveContext, resolver } from '../../src/resolver.ts';
import { link, release } from '../release/candidates.ts';
import { memoryLog } from '../support/log.ts';

const REQUEST = { kind: 'movie', title: 'Sintel', ids: {} } as const;
const MANAGER = { software: 'Prowlarr', who: 'Prowlarr' } as const;
const LINK = link({ url: 'http://prowlarr.example/1/download?apikey=k3y', manager: MANAGER });
const UNREACHABLE = new SlipstreamError('UNREACHABLE', { what: 'Nobody is there.', next: 'Wait.' });
const AWAY = new OutOfReach(MANAGER, LINK, 'attic:9117', { cause: UNREACHABLE });

interface Given {
  readonly failure: SlipstreamError;
  /** The person's answer; absent: nobody may be asked. */
  readonly says?: boolean;
  readonly canFetch?: boolean;
}

/** What comes of a release whose NZB cannot be fetched; who was asked, and what the backend was given. */
async function obtained({ failure, says, canFetch = true }: Given) {
  const asked: OutOfReach[] = [];
  const given: NzbAddress[] = [];
  const backend = {
    name: 'nzbdav',
    ...(canFetch && {
      submitAddress: (address: NzbAddress, name: string) => {
        given.push(address);
        return Promise.resolve({ id: '1', name, category: 'movies' });
      },
    }),
  };
  const log = memoryLog();
  const context = {
    ...({} as ResolveContext),
    backend: backend as unknown as ResolveContext['backend'],
    progress: { update: () => Promise.resolve() },
    log,
    signal: new AbortController().signal,
    ...(says !== undefined && {
      mayBackendFetch: (away: OutOfReach) => {
        asked.push(away);
        return Promise.resolve(says);
      },
    }),
  };
  const stages = { ...resolver, fetchNzb: () => Promise.reject(failure) };
  const outcome = await prepareSubmission(
    release({ links: [LINK], password: 'laundry' }),
    REQUEST,
    context,
    stages,
  ).then(
    (submission) => submission.submit('Sintel-0a1b2c3d', context.signal),
    (error: unknown) => error,
  );
  expect(log.lines.join(' ')).not.toContain('k3y');
  return { outcome, asked, given };
}

test('an NZB that only the backend may get is left to it when the person lets it, by the link to the manager and with its password', async () => {
  const { outcome, asked, given } = await obtained({ failure: AWAY, says: true });
  expect(outcome).toMatchObject({ name: 'Sintel-0a1b2c3d' });
  expect(asked).toEqual([AWAY]);
  expect(given).toEqual([{ url: LINK.url, password: 'laundry' }]);
});

test.each<[string, Given]>([
  ['the person says no', { failure: AWAY, says: false }],
  ['nobody may be asked', { failure: AWAY }],
])('it is given up when %s', async (_, how) => {
  const { outcome, given } = await obtained(how);
  expect(outcome).toBe(AWAY);
  expect(given).toEqual([]);
});

test.each<[string, Given]>([
  ['whose backend fetches nothing itself', { failure: AWAY, says: true, canFetch: false }],
  ['that failed of something else', { failure: UNREACHABLE, says: true }],
])('nobody is asked about one %s', async (_, how) => {
  const { outcome, asked } = await obtained(how);
  expect(outcome).toBe(how.failure);
  expect(asked).toEqual([]);
});
