import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { kodiHost, kodiServiceHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import { type FakeKodi, fakeKodi } from '../../support/fake-kodi.ts';

const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?title=Sintel', 'resume:false'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};
const CALL = 'plugin://plugin.video.slipstream/play?title=Sintel';
const RECALL = { release: `${'1'.repeat(32)}.700.16000`, position: 595 };

/** The service plays a film anew; as the host does it, the property is written right before the call. */
async function playAnew(): Promise<FakeKodi> {
  const kodi = fakeKodi();
  await kodiServiceHost(kodi.peer, { ...START, entry: 'service' }, kodi.log).player.replay(CALL, RECALL);
  const { method, params } = kodi.calls.at(-1)!;
  expect([method, params['item'], params['position']]).toEqual(['player.play', { url: CALL }, 595]);
  kodi.properties.set('slipstream.recall', String(params['replayRequest']));
  return kodi;
}

const called = (kodi: FakeKodi, query = '?title=Sintel', entry: StartMessage['entry'] = 'resolve') => {
  const [base = '', handle = '', , resume = ''] = START.argv;
  return kodiHost(kodi.peer, { ...START, entry, argv: [base, handle, query, resume] }, kodi.log);
};

describe('a film that the service plays anew', () => {
  test('is known to the call that this makes, once', async () => {
    const kodi = await playAnew();
    const host = called(kodi);
    expect([await host.startedBy(), await host.takeReplayRequest()]).toEqual(['service', RECALL]);
    expect([await host.startedBy(), await host.takeReplayRequest()]).toEqual(['service', RECALL]);
    const later = called(kodi);
    expect([await later.startedBy(), await later.takeReplayRequest()]).toEqual(['person', undefined]);
  });

  test('is nothing to another call, to one without a handle or to one that comes late', async () => {
    const kodi = await playAnew();
    expect(await called(kodi, '?title=Spring').startedBy()).toBe('person');
    expect(await called(kodi, '?title=Sintel', 'action').startedBy()).toBe('person');
    vi.useFakeTimers({ toFake: ['hrtime'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.advanceTimersByTime(30_000);
    expect(await called(kodi).startedBy()).toBe('person');
  });

  test.each([-3_600_000, 3_600_000])(
    'is known though the system’s clock is set by %i ms meanwhile',
    async (step) => {
      const kodi = await playAnew();
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      vi.setSystemTime(Date.now() + step);
      expect(await called(kodi).takeReplayRequest()).toEqual(RECALL);
    },
  );

  test.each(['nonsense', '{}', '[]'])('is not read out of %j', async (text) => {
    const kodi = fakeKodi();
    kodi.properties.set('slipstream.recall', text);
    expect(await called(kodi).takeReplayRequest()).toBeUndefined();
  });
});
