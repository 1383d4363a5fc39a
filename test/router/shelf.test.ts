import { describe, expect, it, onTestFinished } from 'vitest';
import type { Backend } from '../../src/backends/backend.ts';
import { linksOnly } from '../../src/backends/direct-stream/links-only.ts';
import { type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import { openShelf } from '../../src/router/shelf.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const SINTEL = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const failure = (code: ErrorCode) => new SlipstreamError(code, { what: 'No.', next: 'Look.' });

/** A shelf of a backend that fails as told: of each question's answers the first, the second and so on. */
async function shelfOf(answers: Partial<Record<'finished' | 'preflight', readonly (ErrorCode | 'ok')[]>>) {
  const asked = { finished: 0, preflight: 0 };
  const answer = async (question: 'finished' | 'preflight') => {
    const code = answers[question]?.[asked[question]] ?? 'ok';
    asked[question]++;
    if (code !== 'ok') throw failure(code);
    return await Promise.resolve([]);
  };
  const backend: Backend = {
    ...linksOnly(),
    finished: () => answer('finished'),
    preflight: async () => {
      await answer('preflight');
    },
  };
  const { signal } = new AbortController();
  const { dataFolder: folder } = recordingHost();
  const shelf = await openShelf(SINTEL, backend, { folder, signal, log: memoryLog() });
  onTestFinished(shelf.close);
  await shelf.asked;
  return { shelf, asked };
}

const LASTING = ['AUTH_FAILED', 'BAD_ANSWER', 'INVALID_REQUEST', 'NOT_CONFIGURED', 'UNREACHABLE'] as const;

describe('what would fail every download', () => {
  it.each(LASTING)('is known beforehand from what the backend lists: %s', async (code) => {
    const { shelf, asked } = await shelfOf({ finished: [code, code] });
    await expect(shelf.prove()).rejects.toMatchObject({ code });
    expect(asked.preflight).toBe(0);
  });

  it.each(LASTING)('is known beforehand from what it is tried for: %s', async (code) => {
    const { shelf } = await shelfOf({ preflight: [code, code] });
    await expect(shelf.prove()).rejects.toMatchObject({ code });
  });

  it('is asked once more, for it may have passed while somebody chose', async () => {
    for (const question of ['finished', 'preflight'] as const) {
      const { shelf } = await shelfOf({ [question]: ['UNREACHABLE', 'ok'] });
      await expect(shelf.prove()).resolves.toBeUndefined();
    }
  });

  it.each(['TIMEOUT', 'SERVICE_ERROR', 'RATE_LIMITED'] as const)('is not what passes: %s', async (code) => {
    const { shelf } = await shelfOf({ finished: [code, code], preflight: [code, code] });
    await expect(shelf.prove()).resolves.toBeUndefined();
  });

  it('is asked for once where all is well', async () => {
    const { shelf, asked } = await shelfOf({});
    await shelf.prove();
    await shelf.prove();
    expect(asked).toEqual({ finished: 1, preflight: 1 });
  });

  it('is that there is no backend', async () => {
    const { signal } = new AbortController();
    const { dataFolder: folder } = recordingHost();
    const shelf = await openShelf(SINTEL, linksOnly(), { folder, signal, log: memoryLog() });
    onTestFinished(shelf.close);
    await expect(shelf.prove()).rejects.toMatchObject({ code: 'SUBMIT_REFUSED' });
  });
});
