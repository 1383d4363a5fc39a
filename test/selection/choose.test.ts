import { describe, expect, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import type { PickerView } from '../../src/host/port.ts';
import { deferred } from '../../src/io/deferred.ts';
import { type Candidate, type Link, type MediaRequest, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import { router } from '../../src/router.ts';
import type { ChooseOptions, ListState, LiveList } from '../../src/selection/choose-options.ts';
import { displayTitle } from '../../src/selection/display-title.ts';
import { type RecordingOptions, recordingHost } from '../support/recording-host.ts';

const REQUEST: MediaRequest = {
  kind: 'movie',
  title: 'Sintel',
  year: 2010,
  ids: {},
  poster: 'p',
  fanart: 'f',
};
const choose = (list: LiveList, request: MediaRequest, options: ChooseOptions) =>
  router.choose(list, request, options, router);
const live = () => new AbortController().signal;

const link = (source: string, guid: string): Link => ({
  url: `http://127.0.0.1/${guid}?apikey=k3y`,
  guid,
  indexer: source,
  source,
});

function candidate(
  name: string,
  rejections: readonly string[] = [],
  links: [Link, ...Link[]] = [link('s', name)],
): Candidate {
  return { release: { name, links, quality: UNKNOWN_QUALITY }, rejections, formats: [], score: 0 };
}

/** A list that the test changes. */
function liveList(...candidates: readonly Candidate[]) {
  const listeners = new Set<() => void>();
  const settled = deferred<undefined>();
  const finished = deferred<undefined>();
  let current: ListState = {
    candidates,
    mismatchCount: 0,
    order: 'size',
    status: 'Waiting for Example',
    isSearching: true,
  };
  return {
    get current() {
      return current;
    },
    onChange: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: settled.promise.then(() => undefined),
    finished: finished.promise.then(() => undefined),
    finish: () => {
      finished.resolve(undefined);
    },
    listeners,
    fail: settled.reject,
    become: (next: readonly Candidate[], searching = true) => {
      current = { ...current, candidates: next, isSearching: searching };
      for (const listener of listeners) listener();
      if (!searching) settled.resolve(undefined);
    },
  };
}

function finishedList(candidates: readonly Candidate[], order: string): LiveList {
  return {
    current: { candidates, order, mismatchCount: 0, status: '', isSearching: false },
    onChange: () => () => undefined,
    settled: Promise.resolve(),
    finished: Promise.resolve(),
  };
}

describe('a release that is wanted', () => {
  const automatic = () => ({ host: recordingHost(), automatic: true, signal: live() });
  const wanted = ({ name }: { name: string }) => name === 'b';

  test('is taken though others rank higher and the filters reject it', async () => {
    const list = finishedList([candidate('a'), candidate('b', ['too large'])], 'size');
    expect((await choose(list, REQUEST, { ...automatic(), isWanted: wanted })).name).toBe('b');
  });

  test('is waited for while sources still answer', async () => {
    const list = liveList();
    const chosen = choose(list, REQUEST, { ...automatic(), isWanted: wanted });
    list.become([candidate('a')], false);
    await Promise.resolve();
    list.become([candidate('a'), candidate('b')], false);
    list.finish();
    expect((await chosen).name).toBe('b');
  });

  test('is not taken when it has failed, or is not there', async () => {
    const list = finishedList([candidate('a'), candidate('b')], 'size');
    const failedAt = ({ name }: { name: string }) => (name === 'b' ? 1 : undefined);
    expect((await choose(list, REQUEST, { ...automatic(), isWanted: wanted, failedAt })).name).toBe('a');
    const without = finishedList([candidate('a')], 'size');
    expect((await choose(without, REQUEST, { ...automatic(), isWanted: wanted })).name).toBe('a');
  });
});

/** A person who decides when the test says. */
function setUp(options: RecordingOptions = {}) {
  const choice = deferred<string | undefined>();
  const host = recordingHost({ choice: () => choice.promise, ...options });
  const idOf = (name: string) => host.picked.at(-1)?.rows.find((row) => row.name === name)?.id;
  return {
    host,
    idOf,
    pick: (name: string) => {
      choice.resolve(idOf(name));
    },
    back: () => {
      choice.resolve(undefined);
    },
  };
}

describe('the automatic choice of what has failed', () => {
  const [failed, sound] = [candidate('failed'), candidate('sound')];
  const options = () => ({
    host: recordingHost(),
    automatic: true,
    signal: live(),
    failedAt: ({ name }: { readonly name: string }) => (name === 'failed' ? 1 : undefined),
  });

  test('waits for whoever has not answered yet', async () => {
    const list = liveList(failed);
    const chosen = choose(list, REQUEST, options());
    list.become([failed], false);
    await Promise.resolve();
    list.become([failed, sound]);
    list.finish();
    expect((await chosen).name).toBe('sound');
  });

  test('is made when nothing else has come', async () => {
    expect((await choose(finishedList([failed], ''), REQUEST, options())).name).toBe('failed');
  });
});

describe('by itself', () => {
  test('waits until nothing more will come, then takes the first that passed', async () => {
    const { host } = setUp();
    const list = liveList(candidate('rejected', ['too large']), candidate('first'));
    const chosen = choose(list, REQUEST, { host, automatic: true, signal: live() });
    list.become([candidate('better'), candidate('first'), candidate('rejected', ['too large'])], false);
    expect((await chosen).name).toBe('better');
    expect(host.picked).toEqual([]);
  });

  test('waits for the rest as long as nothing passed', async () => {
    const { host } = setUp();
    const list = liveList();
    const chosen = choose(list, REQUEST, { host, automatic: true, signal: live() });
    list.become([candidate('rejected', ['too large'])], false);
    await new Promise((resolve) => setImmediate(resolve));
    list.become([candidate('late'), candidate('rejected', ['too large'])], false);
    list.finish();
    expect((await chosen).name).toBe('late');
  });

  test('counts only what is what was asked for', async () => {
    const { host } = setUp();
    const list = finishedList([candidate('a', ['too large']), candidate('x', ['Another film: Y'])], 'size');
    const mixed = { ...list, current: { ...list.current, mismatchCount: 1 } };
    await expect(choose(mixed, REQUEST, { host, automatic: true, signal: live() })).rejects.toThrow(
      'The only release was rejected',
    );
  });

  test('says why when nothing passed', async () => {
    const { host } = setUp();
    const options = { host, automatic: true, signal: live() };
    const both = finishedList([candidate('a', ['too large']), candidate('b', ['CAM'])], 'size');
    await expect(choose(both, REQUEST, options)).rejects.toMatchObject({
      code: 'ALL_FILTERED',
      explanation: {
        what: 'All 2 releases were rejected by your filters.',
        next: 'The best one: too large. Loosen that in the settings of Slipstream (Quality, Limits).',
      },
    });
    const one = finishedList([candidate('a', ['too large'])], 'size');
    await expect(choose(one, REQUEST, options)).rejects.toThrow('The only release was rejected');
  });

  test('ends with an abort, or with the failure of the search', async () => {
    const { host } = setUp();
    const controller = new AbortController();
    const waiting = choose(liveList(), REQUEST, { host, automatic: true, signal: controller.signal });
    controller.abort(new CancelledError('person'));
    await expect(waiting).rejects.toMatchObject({ by: 'person' });
    const list = liveList();
    const failing = choose(list, REQUEST, { host, automatic: true, signal: live() });
    list.fail(new Error('all sources failed'));
    await expect(failing).rejects.toThrow('all sources failed');
  });
});

describe('by the person', () => {
  test('shows the list as it is, and gives the chosen release', async () => {
    const { host, pick } = setUp();
    const list = liveList(candidate('a'), candidate('b'), candidate('c', ['too large']));
    const explain = ({ release }: Candidate) => [{ label: 'Why', value: `${release.name} it is` }];
    const chosen = choose(list, REQUEST, { host, automatic: false, signal: live(), explain });
    await expect.poll(() => host.picked.length).toBeGreaterThan(0);
    const { rows, ...header } = host.picked[0]!;
    expect(header).toEqual({
      title: 'Sintel (2010)',
      summary: '2 of 3 releases pass your filters',
      order: 'size',
      status: 'Waiting for Example',
      searching: true,
      poster: 'p',
      fanart: 'f',
    });
    expect(rows.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(rows[1]?.details[0]).toEqual({ label: 'Why', value: 'b it is' });
    expect(JSON.stringify(rows)).not.toContain('k3y');
    pick('b');
    expect((await chosen).name).toBe('b');
    expect(host.open()).toBe(0);
    expect(list.listeners.size).toBe(0);
  });

  test('what comes later is listed, and a release keeps its id while links are added to it', async () => {
    const { host, idOf, pick } = setUp();
    const list = liveList(candidate('a'), candidate('b'));
    const chosen = choose(list, REQUEST, { host, automatic: false, signal: live() });
    await expect.poll(() => list.listeners.size).toBe(1);
    const before = idOf('b');
    const merged = candidate('b', [], [link('other', '1'), link('s', 'b')]);
    list.become([candidate('new'), merged, candidate('a')]);
    expect(idOf('b')).toBe(before);
    list.become([candidate('b', [], [link('other', '1')]), candidate('new')], false);
    expect(idOf('b')).toBe(before);
    expect(new Set(host.picked.at(-1)?.rows.map(({ id }) => id)).size).toBe(2);
    expect(host.picked.at(-1)?.searching).toBe(false);
    pick('b');
    expect((await chosen).links).toHaveLength(1);
  });

  test('no two rows of a list have one id, though their releases were one before', async () => {
    const { host, idOf, pick } = setUp();
    const list = liveList(candidate('a', [], [link('s', '1'), link('s', '2')]));
    const chosen = choose(list, REQUEST, { host, automatic: false, signal: live() });
    await expect.poll(() => list.listeners.size).toBe(1);
    const before = idOf('a');
    const apart = [candidate('a', [], [link('s', '1')]), candidate('b', [], [link('s', '2')])];
    list.become(apart);
    expect(idOf('a')).toBe(before);
    expect(idOf('b')).not.toBe(before);
    pick('b');
    expect((await chosen).name).toBe('b');
  });

  test('marks what the backend has already', async () => {
    const { host, back } = setUp();
    const downloaded = ({ name }: { readonly name: string }) => name === 'b';
    const options = { host, automatic: false, signal: live(), downloaded };
    const chosen = choose(liveList(candidate('a'), candidate('b')), REQUEST, options);
    await expect.poll(() => host.picked.length).toBeGreaterThan(0);
    expect(host.picked[0]?.rows.map((row) => row.downloaded)).toEqual([false, true]);
    back();
    await expect(chosen).rejects.toMatchObject({ by: 'person' });
  });

  test('what came while the list was opening is not missed', async () => {
    const { host, pick } = setUp();
    const list = liveList();
    const chosen = choose(list, REQUEST, { host, automatic: false, signal: live() });
    list.become([candidate('a')], false);
    await expect.poll(() => host.picked.at(-1)?.rows.length).toBe(1);
    pick('a');
    expect((await chosen).name).toBe('a');
  });

  test('a release that left the list after it was chosen is still the one', async () => {
    const { host, idOf } = setUp();
    const choice = deferred<string | undefined>();
    const list = liveList(candidate('a'));
    const person = {
      ...host,
      openPicker: async (view: PickerView, signal: AbortSignal) => ({
        ...(await host.openPicker(view, signal)),
        chosen: choice.promise,
      }),
    };
    const chosen = choose(list, REQUEST, { host: person, automatic: false, signal: live() });
    await expect.poll(() => list.listeners.size).toBe(1);
    const id = idOf('a');
    list.become([candidate('b')]);
    choice.resolve(id);
    expect((await chosen).name).toBe('a');
  });

  test('opens also when nothing passed', async () => {
    const { host, pick } = setUp();
    const list = finishedList([candidate('a', ['too large'])], 'size');
    const chosen = choose(list, REQUEST, { host, automatic: false, signal: live() });
    await expect.poll(() => host.picked.length).toBeGreaterThan(0);
    expect(host.picked[0]?.summary).toBe('0 of 1 release passes your filters');
    pick('a');
    expect((await chosen).name).toBe('a');
  });

  test('going back is a cancel; an abort and a failed search end the list', async () => {
    const back = setUp();
    const cancelled = choose(liveList(candidate('a')), REQUEST, {
      host: back.host,
      automatic: false,
      signal: live(),
    });
    back.back();
    await expect(cancelled).rejects.toMatchObject({ by: 'person' });

    const { host } = setUp();
    const controller = new AbortController();
    const aborted = choose(liveList(candidate('a')), REQUEST, {
      host,
      automatic: false,
      signal: controller.signal,
    });
    const reason = new CancelledError('shutdown');
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);

    const list = liveList(candidate('a'));
    const failed = choose(list, REQUEST, { host, automatic: false, signal: live() });
    list.fail(new Error('all sources failed'));
    await expect(failed).rejects.toThrow('all sources failed');
    expect(host.open()).toBe(0);
  });
});

test('a title is what people call it', () => {
  expect(displayTitle({ kind: 'movie', title: 'Sintel', ids: {} })).toBe('Sintel');
  expect(displayTitle(REQUEST)).toBe('Sintel (2010)');
  const episode = { season: 1, episode: 2, title: 'Gran Dillama' };
  expect(displayTitle({ kind: 'episode', title: 'Caminandes', ids: {}, episode })).toBe(
    'Caminandes S01E02 Gran Dillama',
  );
});
