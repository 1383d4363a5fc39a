import { describe, expect, test } from 'vitest';
import { kodiHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?title=Sintel'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};

describe('where to begin', () => {
  /** Of the focused row Kodi knows that it was watched so far, in per cent. */
  const asked = (
    argv: readonly string[],
    entry: StartMessage['entry'] = 'resolve',
    played = '0',
    position = 0,
  ) => {
    const kodi = fakeKodi();
    kodi.playlist.position = position;
    kodi.labels.set('ListItem.PercentPlayed', played);
    return kodiHost(kodi.peer, { ...START, entry, argv: [...argv] }, kodi.log).resumeAnswer();
  };

  test('is known when Kodi has asked', async () => {
    expect(await asked([...START.argv, 'resume:true'])).toBe(true);
    expect(await asked([...START.argv, 'resume:false'], 'resolve', '38')).toBe(false);
    expect(await asked(START.argv, 'resolve', '38')).toBeUndefined();
    expect(await asked([...START.argv, 'resume:maybe'], 'resolve', '38')).toBeUndefined();
    const script = ['addon.py', 'meta_play', 'title=Sintel', 'resume:true'];
    expect(await asked(script, 'script', '38')).toBeUndefined();
  });

  test('is not known of what an add-on plays by itself, whatever row has the focus', async () => {
    expect(await asked([...START.argv, 'resume:false'], 'resolve', '38', -1)).toBeUndefined();
  });

  test.each(['0', ''])('is not known when Kodi had nothing to ask: %j %% of the row', async (played) => {
    expect(await asked([...START.argv, 'resume:false'], 'resolve', played)).toBeUndefined();
  });

  test('tells a point of another cut as what it is', async () => {
    const kodi = fakeKodi();
    const host = kodiHost(kodi.peer, START, kodi.log);
    const answer = host.askResume({ position: 224, isExact: false }, new AbortController().signal);
    await expect
      .poll(() => kodi.dialog?.params)
      .toEqual({ rows: ['word 12022: about 3:44', 'word 12021: {0:s}'] });
    kodi.dialog?.answer(1);
    expect(await answer).toBe('start');
  });

  test("is asked in Kodi's own words", async () => {
    const kodi = fakeKodi();
    const host = kodiHost(kodi.peer, START, kodi.log);
    const answer = host.askResume({ position: 3754, isExact: true }, new AbortController().signal);
    await expect
      .poll(() => kodi.dialog?.params)
      .toEqual({
        rows: ['word 12022: 1:02:34', 'word 12021: {0:s}'],
      });
    expect(kodi.dialog?.method).toBe('dialog.menu');
    kodi.dialog?.answer(0);
    expect(await answer).toBe('resume');
  });
});
