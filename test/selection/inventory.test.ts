import { describe, expect, it, onTestFinished } from 'vitest';
import type { Backend } from '../../src/backends/backend.ts';
import { linksOnlyBackend } from '../../src/backends/direct-stream/links-only.ts';
import { type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import { openInventory } from '../../src/selection/inventory.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const SINTEL = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} } as const;
const failure = (code: ErrorCode) => new SlipstreamError(code, { what: 'No.', next: 'Look.' });

/** An inventory of a backend that fails as told: of each question's answers the first, the second and so on. */
async function inventoryOf(
  answers: Partial<Record<'finished' | 'preflight', readonly (ErrorCode | 'ok')[]>>,
) {
  const asked = { finished: 0, preflight: 0 };
  const answer = async (question: 'finished' | 'preflight') => {
    const code = answers[question]?.[asked[question]] ?? 'ok';
    asked[question]++;
    if (code !== 'ok') throw failure(code);
    return await Promise.resolve([]);
  };
  const backend: Backend = {
    ...linksOnlyBackend(),
    finishedJobs: () => answer('finished'),
    preflight: async () => {
      await answer('preflight');
    },
  };
  const { signal } = new AbortController();
  const { dataFolder: folder } = recordingHost();
  const inventory = await openInventory(SINTEL, backend, { folder, signal, log: memoryLog() });
  onTestFinished(() => {
    inventory.close();
  });
  await inventory.answered;
  return { inventory, asked };
}

const LASTING = ['AUTH_FAILED', 'BAD_ANSWER', 'INVALID_REQUEST', 'NOT_CONFIGURED', 'UNREACHABLE'] as const;

describe('what would fail every download', () => {
  it.each(LASTING)('is known beforehand from what the backend lists: %s', async (code) => {
    const { inventory, asked } = await inventoryOf({ finished: [code, code] });
    await expect(inventory.assertUsable()).rejects.toMatchObject({ code });
    expect(asked.preflight).toBe(0);
  });

  it.each(LASTING)('is known beforehand from what it is tried for: %s', async (code) => {
    const { inventory } = await inventoryOf({ preflight: [code, code] });
    await expect(inventory.assertUsable()).rejects.toMatchObject({ code });
  });

  it('is asked once more, for it may have passed while somebody chose', async () => {
    for (const question of ['finished', 'preflight'] as const) {
      const { inventory } = await inventoryOf({ [question]: ['UNREACHABLE', 'ok'] });
      await expect(inventory.assertUsable()).resolves.toBeUndefined();
    }
  });

  it.each(['TIMEOUT', 'SERVICE_ERROR', 'RATE_LIMITED'] as const)('is not what passes: %s', async (code) => {
    const { inventory } = await inventoryOf({ finished: [code, code], preflight: [code, code] });
    await expect(inventory.assertUsable()).resolves.toBeUndefined();
  });

  it('is asked for once where all is well', async () => {
    const { inventory, asked } = await inventoryOf({});
    await inventory.assertUsable();
    await inventory.assertUsable();
    expect(asked).toEqual({ finished: 1, preflight: 1 });
  });

  it('is that there is no backend', async () => {
    const { signal } = new AbortController();
    const { dataFolder: folder } = recordingHost();
    const inventory = await openInventory(SINTEL, linksOnlyBackend(), { folder, signal, log: memoryLog() });
    onTestFinished(() => {
      inventory.close();
    });
    await expect(inventory.assertUsable()).rejects.toMatchObject({ code: 'SUBMIT_REFUSED' });
  });
});
