// The ends of a play that has not come to a picture.
import { whenQuery } from '../../../sandbox/index.ts';
import type { Stage } from '../slipstream.ts';
import { asked, back, type End, place, playSintel, plays, ROWS, until } from './end.ts';

const rowHasFocus = (s: Stage) =>
  until(
    s,
    'a row has the focus',
    async () => (await s.kodi.infoLabel('Container(50).ListItem.Label')) !== '',
  );

/** Waits until the log tells of the failure. */
const fails = (s: Stage) =>
  until(s, 'it has failed', async () => (await s.kodi.log()).includes('play failed'));

/** A play that waits for its job. */
export async function waits(s: Stage): Promise<void> {
  s.sandbox.faults.job = { kind: 'stuck', percent: 40 };
  await playSintel(s);
  await asked(s, 'the wait', whenQuery('mode', 'queue'));
  await s.windowIsUp();
}

export const CANCELLED: readonly End[] = [
  {
    name: 'cancel at the question',
    boxes: 1,
    answers: 2,
    jobs: 1,
    inTests: true,
    act: async (s) => {
      await plays(s);
      const left = await place(s);
      await s.kodi.player.stop();
      await s.nothingLeft();
      await until(
        s,
        'the next play may start',
        async () => (await s.kodi.homeProperty('slipstream.starting')) === '',
      );
      await playSintel(s, ROWS[1]);
      await until(s, 'it is asked', async () =>
        (await s.kodi.infoLabel('System.CurrentControl')).includes('Resume from'),
      );
      await s.kodi.rpc('Input.Back');
      return left;
    },
  },
  {
    name: 'cancel at the picker',
    boxes: 1,
    settings: { auto_select: 'false' },
    act: async (s) => {
      await playSintel(s);
      await rowHasFocus(s);
      return back(s);
    },
  },
  {
    name: 'cancel at the search',
    boxes: 1,
    act: async (s) => {
      s.sandbox.faults.indexer.push({ kind: 'hang', when: whenQuery('t', 'movie') });
      await playSintel(s);
      await asked(s, 'the search', whenQuery('t', 'movie'));
      return back(s);
    },
  },
  {
    name: 'cancel at the submission',
    boxes: 1,
    inTests: true,
    act: async (s) => {
      // The backend takes the job, and never tells.
      s.sandbox.faults.api.push({ kind: 'answer-lost', how: 'hang', when: whenQuery('mode', 'addfile') });
      await playSintel(s);
      await until(s, 'the backend has the job', () => s.sandbox.jobs().length > 0);
      return back(s);
    },
  },
  {
    name: 'cancel at the wait',
    boxes: 1,
    act: async (s) => {
      await waits(s);
      return back(s);
    },
  },
  {
    name: 'cancel at the proof',
    boxes: 1,
    inTests: true,
    act: async (s) => {
      s.sandbox.faults.webdav.push({ kind: 'hang', when: ({ method }) => method === 'GET' });
      await playSintel(s);
      await asked(s, 'the proof', ({ service, method }) => service === 'webdav' && method === 'GET');
      return back(s);
    },
  },
];

/** A play that fails of what `breakIt` does. */
const failure = (
  name: string,
  breakIt: (s: Stage) => Promise<void> | void,
  more: Partial<End> = {},
): End => ({
  name: `failure of the ${name}`,
  boxes: 1,
  ...more,
  act: async (s) => {
    await breakIt(s);
    await playSintel(s);
    await fails(s);
    return undefined;
  },
});

export const FAILED: readonly End[] = [
  failure('search', ({ sandbox }) => sandbox.shut('indexer')),
  failure('submission', ({ sandbox }) => {
    sandbox.faults.submit = { error: 'The queue is closed', status: 500 };
  }),
  failure('wait', ({ sandbox }) => {
    sandbox.faults.job = { kind: 'fails', message: 'article not found' };
  }),
  failure(
    'proof',
    ({ sandbox }) => {
      sandbox.faults.folder = 'ciphertext';
    },
    { inTests: true },
  ),
];
