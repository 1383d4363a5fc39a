import { describe, expect, it, onTestFinished } from 'vitest';
import type { Nzb } from '../../../src/backends/backend.ts';
import { webdavBackend } from '../../../src/backends/webdav/index.ts';
import { memoryLog } from '../../support/log.ts';
import { type Front, frontOf, large, type Mishap } from './front.ts';
import { QUICK, startLab, type WebdavLab } from './lab.ts';

const { signal } = new AbortController();
const NAME = 'Sintel.2010-0a1b2c3d';

async function submitThrough(
  mishap: Mishap,
  asSent: (nzb: Nzb) => Nzb = (nzb) => nzb,
): Promise<{ lab: WebdavLab; front: Front; outcome: unknown }> {
  const lab = await startLab();
  onTestFinished(() => lab.close());
  const { backend: address } = lab.sandbox;
  const front = await frontOf(new URL(address.apiUrl).origin, mishap);
  const config = { ...address, apiUrl: front.url, movieCategory: 'movies', tvCategory: 'tv' };
  const { submit } = webdavBackend(config, memoryLog(), QUICK);
  const outcome: unknown = await submit(asSent(lab.film.nzb), NAME, lab.film.request, signal).catch(
    (error: unknown) => error,
  );
  await front.arrived();
  return { lab, front, outcome };
}

describe('an NZB whose submission goes wrong', () => {
  it.each<Mishap>(['silent', 504])(
    'is not sent a second time once it has left us whole, for the sweep to find: %s',
    async (mishap) => {
      const { lab, front, outcome } = await submitThrough(mishap);
      expect(outcome).toMatchObject({ code: 'SUBMIT_REFUSED', transient: true });
      expect(front.submissions()).toBe(1);
      expect(lab.jobs()).toEqual([NAME]);
    },
  );

  it('is sent a second time when it did not leave whole', async () => {
    const { lab, front, outcome } = await submitThrough('broken', large);
    expect(outcome).toMatchObject({ name: NAME });
    expect(front.submissions()).toBe(2);
    expect(lab.jobs()).toEqual([NAME]);
  });
});
