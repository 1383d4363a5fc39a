import { describe, expect, onTestFinished, test } from 'vitest';
import {
  jobFailed as clientFailed,
  jobLost,
  unrepairableError,
} from '../../src/backends/download-client/outcome.ts';
import { fetchNzb } from '../../src/backends/nzb/fetch.ts';
import { readFileRange } from '../../src/backends/read-file-range.ts';
import { verifyPlayable } from '../../src/backends/verify-playable.ts';
import { jobLost as dropped, jobFailed } from '../../src/backends/webdav/failed-job.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { noVideoError } from '../../src/job-files/no-video.ts';
import { link, release } from '../release/candidates.ts';
import { type AnswerPlan, type SeenRequest, startFileServer } from '../support/file-server.ts';
import { serve } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';

const brokenBy = async (work: Promise<unknown>): Promise<boolean> => {
  const error: unknown = await work.catch((cause: unknown) => cause);
  if (!(error instanceof SlipstreamError)) throw new Error('expected a SlipstreamError', { cause: error });
  return error.broken;
};

describe('a job that failed proves its release broken', () => {
  // The servers' own words: protocols.md §1.7 and §2.10.
  test.each([
    ['Article with message-id 1@x not found.', true],
    ['Missing articles: 1 important file(s) have missing segments across all providers.', true],
    ['Missing rar volumes detected.', true],
    ['Only rar files with compression method m0 are supported.', true],
    ['Encrypted 7Zip archive has no password specified.', true],
    ['No importable videos found.', true],
    ['There are no usenet providers configured.', false],
    ['Duplicate nzb: the download folder for this nzb already exists.', false],
    // The same words for lost articles, a provider that is away and a refused login.
    ['fast-fail segment check failed: no regular files were successfully processed', false],
    ['no NNTP providers configured - item will be retried when providers are added', false],
    ['Could not login to usenet host: 481 bad password', false],
    ['', false],
  ])('by WebDAV: %s', (words, broken) => {
    expect(jobFailed('nzbdav', words).broken).toBe(broken);
  });

  test.each([
    ['FAILURE/PAR', true],
    ['FAILURE/HEALTH', true],
    ['WARNING/PASSWORD', true],
    ['WARNING/SPACE', false],
    ['FAILURE/MOVE', false],
    ['FAILURE/FETCH', false],
    ['FAILURE/INTERNAL_ERROR', false],
    ['DELETED/MANUAL', false],
    ['DELETED/COPY', false],
    ['SOMETHING/NEW', false],
  ])('in NZBGet: %s', (status, broken) => {
    expect(clientFailed({ status, hasPassword: false }).broken).toBe(broken);
  });

  test('also when it was paused as hopeless, never when it was deleted', () => {
    expect(unrepairableError().broken).toBe(true);
    expect([jobLost().broken, dropped('nzbdav').broken]).toEqual([false, false]);
  });
});

describe('what a job holds', () => {
  test('proves its release broken only where something is there', () => {
    const reason = { reason: 'other-episodes' } as const;
    expect([3, 0].map((files) => noVideoError(reason, files).broken)).toEqual([true, false]);
  });
});

describe('the NZB', () => {
  const statuses = (...codes: readonly number[]) =>
    Promise.all(codes.map((code) => serve((_, response) => response.writeHead(code).end())));
  const fetched = async (urls: readonly string[]) => {
    const [first = '', ...others] = urls;
    const links = [link({ url: first }), ...others.map((url) => link({ url }))] as const;
    const { signal } = new AbortController();
    return await fetchNzb(release({ links: [links[0], ...links.slice(1)] }), { signal, log: memoryLog() });
  };

  test('is gone where none of the indexers has it any more', async () => {
    expect(await brokenBy(fetched(await statuses(404, 410)))).toBe(true);
  });

  test.each([[[404, 429]], [[404, 503]], [[429]], [[403]], [[200]]])(
    'may come back after %j, a limit, an outage, an empty answer',
    async (codes) => {
      expect(await brokenBy(fetched(await statuses(...codes)))).toBe(false);
    },
  );
});

describe('bytes that do not come', () => {
  const SIZE = 8_000_000;
  const proof = async (plan: (request: SeenRequest) => AnswerPlan) => {
    const server = await startFileServer(SIZE, plan);
    onTestFinished(() => server.close());
    await verifyPlayable(
      { via: 'proxy', url: server.url, headers: {}, name: 'Sintel.mkv', size: SIZE },
      {
        advertisedBytes: SIZE,
        files: [],
        signal: new AbortController().signal,
        log: memoryLog(),
        read: (range, signal) =>
          readFileRange(
            { url: server.url, headers: {}, who: 'The test', timeout: 1_000, signal, retryDelay: 5 },
            range,
          ),
      },
    );
  };

  test.each<[string, AnswerPlan]>([
    ['404', { status: 404 }],
    ['a body that breaks off', { dropAfter: 1_000 }],
  ])('prove it where the server delivers others of the file: %s', async (_, plan) => {
    expect(await brokenBy(proof(({ first }) => (first === 0 ? {} : plan)))).toBe(true);
  });

  test.each<[string, AnswerPlan]>([
    ['404', { status: 404 }],
    ['a body that breaks off', { dropAfter: 0 }],
  ])('prove nothing while the server delivers none, as one whose provider is away: %s', async (_, plan) => {
    expect(await brokenBy(proof(() => plan))).toBe(false);
  });
});
