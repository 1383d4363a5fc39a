import { describe, expect, it } from 'vitest';
import { INFINIDYSK } from '../../../sandbox/index.ts';
import type { JobProgress } from '../../../src/model/index.ts';
import { backendContract } from '../../contracts/backend.ts';
import { startLab } from './lab.ts';

describe('nzbdav', () => {
  backendContract(startLab);
});

describe('InfiniDysk, its fork', () => {
  it('is a drop-in: submits, reports, finds and removes in the same way', async () => {
    const { signal } = new AbortController();
    const { backend, pack, jobs, opens, close } = await startLab(INFINIDYSK);
    const seen: JobProgress[] = [];
    const job = await backend.submit(pack.nzb, 'Caminandes.S01-0a1b2c3d', pack.request, signal);
    const finished = await backend.waitUntilReady(job, {
      signal,
      timeout: 5_000,
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen.at(-1)?.stage).toBe('ready');
    const { file: playable } = await backend.locate(finished, pack.request, signal);
    expect(playable.name).toBe(pack.fileName);
    expect(await opens(playable)).toBe(true);
    await backend.remove({ name: job.name }, signal);
    expect(jobs()).toEqual([]);
    await close();
  });
});
