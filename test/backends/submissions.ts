import { describe, expect, it, onTestFinished } from 'vitest';
import type { Backend, Nzb } from '../../src/backends/backend.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { type Front, frontOf, large, type Mishap } from './front.ts';

interface Lab {
  readonly film: { readonly nzb: Nzb; readonly request: MediaRequest };
  jobs(): readonly string[];
  close(): Promise<void>;
}

/** What a backend of this kind is tested with. */
interface Kind<L extends Lab> {
  startLab(): Promise<L>;
  /** The address of the lab's server. */
  addressOf(lab: L): string;
  /** A backend that asks at another address, and waits long for an answer, or no longer than for one that never comes. */
  backendAt(url: string, lab: L, patience: 'calm' | 'quick'): Backend;
}

const { signal } = new AbortController();
const NAME = 'Sintel.2010-0a1b2c3d';

/** What every backend that is handed NZBs makes of a submission that goes wrong. */
export function submissionsThatGoWrong<L extends Lab>({ startLab, addressOf, backendAt }: Kind<L>): void {
  async function submitThrough(
    mishap: Mishap,
    asSent: (nzb: Nzb) => Nzb = (nzb) => nzb,
  ): Promise<{ lab: L; front: Front; outcome: unknown }> {
    const lab = await startLab();
    onTestFinished(() => lab.close());
    const front = await frontOf(addressOf(lab), mishap);
    const outcome: unknown = await backendAt(front.url, lab, mishap === 'silent' ? 'quick' : 'calm')
      .submit(asSent(lab.film.nzb), NAME, lab.film.request, signal)
      .catch((error: unknown) => error);
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

    it.each<[Mishap, typeof large]>([
      ['broken', large],
      ['busy', (nzb) => nzb],
    ])('is sent a second time when it was not taken: %s', async (mishap, asSent) => {
      const { lab, front, outcome } = await submitThrough(mishap, asSent);
      expect(outcome).toMatchObject({ name: NAME });
      expect(front.submissions()).toBe(2);
      expect(lab.jobs()).toEqual([NAME]);
    });

    it('is looked for before that, whatever was said', async () => {
      const { lab, front, outcome } = await submitThrough('busy-but-taken');
      expect(outcome).toMatchObject({ name: NAME });
      expect(front.submissions()).toBe(1);
      expect(lab.jobs()).toEqual([NAME]);
    });

    it('waits for nobody who is busy for long', async () => {
      const { lab, front, outcome } = await submitThrough('busy-for-long');
      expect(outcome).toMatchObject({ code: 'SUBMIT_REFUSED', transient: true });
      expect(front.submissions()).toBe(1);
      expect(lab.jobs()).toEqual([]);
    });
  });
}
