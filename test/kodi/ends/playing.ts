// The ends of a play that has come to a picture.
import { ADDON_ID, SINTEL, type Stage } from '../slipstream.ts';
import { advances, beyond, type End, isTrue, PLACE, place, plays, until, untilNothingPlays } from './end.ts';

const EPISODE = 'type=episode&showname=Caminandes&season=1&episode=2&tvdb=990001&showyear=2013';
/** So that the player does not hold much that it has read ahead. */
const SMALL_CACHE = { settings: { 'filecache.memorysize': '24' } };

/** Ends what plays; gives the second of the last picture. */
async function stop(s: Stage): Promise<number> {
  const last = await place(s);
  await s.kodi.player.stop();
  return last;
}

/** Waits for the page of ours that tells why a film has ended, and reads it. */
async function reads(s: Stage): Promise<void> {
  // Before it another window of ours may be up.
  const focused = async () => (await s.kodi.infoLabel('System.CurrentControl')).includes('Close');
  await until(s, 'the page is in front', focused);
  await s.kodi.rpc('Input.Select');
}

export const BY_THE_PERSON: readonly End[] = [
  {
    name: 'stop while buffering',
    jobs: 1,
    act: async (s) => {
      await plays(s);
      s.sandbox.faults.webdav.push({ kind: 'hang' });
      const last = await place(s);
      await s.kodi.player.seek(PLACE + 400);
      await until(s, 'it buffers', () => isTrue(s, 'Player.Caching'));
      await s.kodi.player.stop();
      return last;
    },
  },
  {
    name: 'stop while playing',
    jobs: 1,
    act: async (s) => {
      await plays(s);
      return stop(s);
    },
  },
  {
    name: 'end of film',
    jobs: 1,
    inTests: true,
    act: async (s) => {
      await plays(s);
      await s.kodi.player.seek(882);
      await untilNothingPlays(s);
      return undefined;
    },
  },
  {
    name: 'end of episode in a playlist',
    answers: 2,
    jobs: 2,
    act: async (s) => {
      const { kodi } = s;
      for (const query of [EPISODE, SINTEL])
        await kodi.rpc('Playlist.Add', {
          playlistid: 1,
          item: { file: `plugin://${ADDON_ID}/play?${query}` },
        });
      await kodi.rpc('Player.Open', { item: { playlistid: 1, position: 0 } });
      await beyond(s, 1);
      await kodi.player.seek(((await kodi.player.duration()) ?? 0) - 6);
      await until(
        s,
        'the next one plays',
        async () => (await kodi.infoLabel('VideoPlayer.Title')) === 'Sintel',
        60_000,
      );
      await advances(s);
      return stop(s);
    },
  },
];

export const LOST: readonly End[] = [
  {
    name: 'backend gone',
    jobs: 1,
    kodi: SMALL_CACHE,
    act: async (s) => {
      await plays(s);
      await s.sandbox.shut('webdav');
      s.sandbox.faults.gateway = 'alone';
      await s.sandbox.open('webdav');
      const last = await untilNothingPlays(s, 120_000);
      await reads(s);
      return last;
    },
  },
  {
    name: 'file gone',
    jobs: 1,
    kodi: SMALL_CACHE,
    settings: { restart_broken: 'false' },
    act: async (s) => {
      await plays(s);
      s.sandbox.faults.webdav.push({ kind: 'status', status: 404, when: ({ method }) => method === 'GET' });
      // What is being sent already would go on.
      await s.sandbox.shut('webdav');
      await s.sandbox.open('webdav');
      const last = await untilNothingPlays(s, 120_000);
      await reads(s);
      return last;
    },
  },
];

const serviceIsGone = (s: Stage) => until(s, 'the service is gone', () => s.engines('service').length === 0);
const enable = ({ kodi }: Stage, enabled: boolean) =>
  kodi.rpc('Addons.SetAddonEnabled', { addonid: ADDON_ID, enabled });

export const BY_KODI: readonly End[] = [
  {
    name: 'Kodi quits',
    jobs: 1,
    over: 'kodi',
    inTests: true,
    act: async (s) => {
      await plays(s);
      const last = await place(s);
      const { exitStatus, left } = await s.kodi.quit();
      if (exitStatus !== 0 || left.length > 0)
        throw new Error(`It ended with ${exitStatus}, and left ${left.join()}`);
      return last;
    },
  },
  {
    name: 'add-on updated',
    answers: 2,
    jobs: 1,
    kodi: SMALL_CACHE,
    act: async (s) => {
      await plays(s);
      const stream = await s.kodi.homeProperty('svc.stream_url');
      await enable(s, false);
      await serviceIsGone(s);
      await enable(s, true);
      const goesOn = async () => !['', stream].includes(await s.kodi.homeProperty('svc.stream_url'));
      await until(s, 'the film goes on', goesOn, 60_000);
      await beyond(s, PLACE + 2);
      // The service looks each second where the film is.
      await beyond(s, (await place(s)) + 3);
      return stop(s);
    },
  },
  {
    name: 'add-on disabled',
    jobs: 1,
    over: 'service',
    kodi: SMALL_CACHE,
    act: async (s) => {
      await plays(s);
      const last = await place(s);
      await enable(s, false);
      await serviceIsGone(s);
      await untilNothingPlays(s);
      return last;
    },
  },
  {
    name: 'profile switched',
    jobs: 1,
    kodi: { others: { Second: {} } },
    act: async (s) => {
      await plays(s);
      const last = await place(s);
      await s.kodi.switchProfile('Second');
      await untilNothingPlays(s);
      return last;
    },
  },
  {
    name: 'sleep',
    jobs: 1,
    kodi: { sleeps: true },
    act: async (s) => {
      await plays(s);
      await s.kodi.sleep();
      await s.nothingLeft();
      // At the wake every connection is dead.
      await s.sandbox.shut('webdav');
      await s.sandbox.open('webdav');
      await s.kodi.wake();
      await beyond(s, PLACE + 4);
      await until(s, 'it is watched', async () => (await s.raised()).length === 3);
      // The service looks each second where the film is.
      await beyond(s, (await place(s)) + 2);
      return stop(s);
    },
  },
];
