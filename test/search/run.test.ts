import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CancelledError, type ErrorCode, SlipstreamError } from '../../src/errors/index.ts';
import { deferred } from '../../src/io/deferred.ts';
import type { Logger } from '../../src/log/index.ts';
import { type MediaRequest, type Release, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import type { Patience } from '../../src/search/patience.ts';
import { openRests, type Rests } from '../../src/search/rest.ts';
import { type RunningSearch, startSearch } from '../../src/search/run.ts';
import type { SearchSource } from '../../src/search/source.ts';
import { statusLine } from '../../src/search/tell.ts';
import { memoryLog } from '../support/log.ts';
import { newFolder } from './folder.ts';
import { posting } from './posts.ts';
import { answer, type FakeSource, fakeSource, hang, type Reply } from './sources.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587' } };
const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};
/** Far longer than any test, where nothing should be waited for. */
const LONG = 60_000;
const PATIENCE: Partial<Patience> = {
  source: LONG,
  overall: LONG,
  enough: 5,
  grace: 0,
  graceForFew: LONG,
  spacing: 0,
};

/** "Sintel.2010.…" is a film of that title and year, "Caminandes.1.2" an episode. */
const parseName = (name: string) => {
  const [title = '', number = '', episode = ''] = name.split('.');
  if (title !== 'Caminandes') return { ...UNKNOWN_QUALITY, title, year: Number(number) };
  return { ...UNKNOWN_QUALITY, title, seasons: [Number(number)], episodes: [Number(episode)] };
};
const loadParser = () => Promise.resolve(parseName);

let number = 0;
/** Ids of sources are process-wide: each test has its own. */
const newId = () => `s${++number}`;

async function newRests(): Promise<Rests> {
  return openRests({ folder: await newFolder(), log: memoryLog() });
}

interface Options {
  readonly request?: MediaRequest;
  readonly patience?: Partial<Patience>;
  readonly rests?: Rests;
  readonly signal?: AbortSignal;
  readonly packs?: boolean;
  readonly loadParser?: typeof loadParser;
  readonly isGood?: (release: Release) => boolean;
  readonly log?: Logger;
}

async function search(sources: readonly SearchSource[], options: Options = {}): Promise<RunningSearch> {
  const { request = FILM, patience = {}, signal = new AbortController().signal, packs = false } = options;
  const rests = options.rests ?? (await newRests());
  const running = startSearch(request, sources, {
    signal,
    log: options.log ?? memoryLog(),
    rests,
    packs,
    ...(options.isGood && { isGood: options.isGood }),
    loadParser: options.loadParser ?? loadParser,
    patience: { ...PATIENCE, ...patience },
  });
  onTestFinished(() => running.close());
  return running;
}

const films = (source: string, count: number, title = 'Sintel.2010') =>
  Array.from({ length: count }, (_, i) =>
    posting({ source, indexer: source, guid: `${i}`, name: `${title}.${source}.${i}` }),
  );
const lists = (count: number, title?: string): FakeSource => {
  const id = newId();
  return fakeSource(id, () => answer(films(id, count, title)));
};
const hangs = () => fakeSource(newId(), hang);
const failure = (code: ErrorCode, retryAfter?: number) =>
  new SlipstreamError(
    code,
    { what: 'It failed.', next: 'Look.' },
    retryAfter === undefined ? {} : { retryAfter },
  );
const fails = (code: ErrorCode, retryAfter?: number) =>
  fakeSource(newId(), () => Promise.reject(failure(code, retryAfter)));
const states = ({ state }: RunningSearch) => state.sources.map((source) => source.state);

describe('a search', () => {
  it('merges what all sources find, and keeps apart what does not fit', async () => {
    const [a, b] = [lists(2), lists(3, 'Spring.2019')];
    const running = await search([a, b]);
    await running.finished;
    expect(running.state.releases).toHaveLength(2);
    expect(running.state.setAside.map(({ reason }) => reason)).toEqual(Array(3).fill('Another film: Spring'));
    expect(running.state.sources).toMatchObject([
      { id: a.id, state: 'answered', found: 2, fitting: 2 },
      // It was asked again in other words, as nothing of it fits.
      { id: b.id, state: 'answered', found: 9, fitting: 0 },
    ]);
    expect(running.state.finished).toBe(true);
  });

  it('asks all sources at once', async () => {
    const both = deferred<undefined>();
    let asked = 0;
    const one = () =>
      fakeSource(newId(), async () => {
        if (++asked === 2) both.resolve(undefined);
        await both.promise;
        return answer();
      });
    const running = await search([one(), one()]);
    await running.finished;
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it('loads the parser when a query is on its way, before its answer', async () => {
    const order: string[] = [];
    const gate = deferred<undefined>();
    const source = fakeSource(newId(), async () => {
      order.push('asked');
      await gate.promise;
      order.push('answered');
      return answer();
    });
    const running = await search([source], {
      loadParser: () => {
        order.push('loaded');
        gate.resolve(undefined);
        return loadParser();
      },
    });
    await running.finished;
    expect(order.slice(0, 3)).toEqual(['asked', 'loaded', 'answered']);
  });

  it('takes the next way to ask only when the source does not know the one before, or ignored its id', async () => {
    const id = newId();
    const source = fakeSource(id, ({ kind }) => (kind === 'movie' ? 'unsupported' : answer(films(id, 1))));
    await (await search([source])).finished;
    expect(source.queries.map(({ kind, text }) => `${kind} ${text ?? 'id'}`)).toEqual([
      'movie id',
      'movie sintel 2010',
      'text sintel 2010',
    ]);
    const ignoring = newId();
    const newest = fakeSource(ignoring, ({ id: asked }) =>
      asked === undefined
        ? answer(films(ignoring, 1))
        : answer(films(ignoring, 3, 'Spring.2019'), { ignoredId: true }),
    );
    const running = await search([newest]);
    await running.finished;
    expect(running.state).toMatchObject({ releases: [{}], setAside: [] });
  });

  it('asks for the season pack also when the episode was found', async () => {
    const id = newId();
    const source = fakeSource(id, () => answer([posting({ source: id, name: 'Caminandes.1.2' })]));
    const running = await search([source], { request: EPISODE, packs: true });
    await running.finished;
    expect(running.state.releases).toHaveLength(1);
    expect(source.queries.map(({ season, episode }) => [season, episode])).toEqual([
      [1, 2],
      [1, undefined],
    ]);
  });

  it('says that a source can search in no way', async () => {
    const running = await search([fakeSource(newId(), () => 'unsupported')]);
    await running.finished;
    expect(running.state.sources[0]?.failure?.explanation.what).toContain('offers no search');
  });

  it('takes a defect of a source for a failure like any other', async () => {
    const running = await search([
      fakeSource(newId(), () => Promise.reject(new TypeError('oops'))),
      lists(1),
    ]);
    await running.finished;
    expect(running.state.sources[0]?.failure?.code).toBe('INTERNAL');
    expect(running.state.releases).toHaveLength(1);
  });

  it('tells of indexers behind a manager that failed', async () => {
    const id = newId();
    const running = await search([
      fakeSource(id, () => answer(films(id, 1), { failures: [failure('TIMEOUT')] })),
    ]);
    await running.finished;
    expect(running.state.sources[0]).toMatchObject({ state: 'answered', partial: [{ code: 'TIMEOUT' }] });
  });

  it('tells of changes once in a turn, and no more after the listener has gone', async () => {
    const running = await search([lists(1), lists(1), lists(1)]);
    let told = 0;
    let last = running.state;
    const stop = running.onChange((state) => {
      told++;
      expect(state).not.toBe(last);
      last = state;
    });
    await running.finished;
    await new Promise(setImmediate);
    expect(last).toBe(running.state);
    expect(last.finished).toBe(true);
    const before = told;
    stop();
    await running.close();
    await new Promise(setImmediate);
    expect(told).toBe(before);
  });
});

describe('a listener that throws', () => {
  it('is logged, and keeps neither the others from hearing nor the search from its end', async () => {
    const log = memoryLog();
    const running = await search([lists(1), lists(1)], { log });
    let heard = 0;
    running.onChange(() => {
      throw new Error('display gone');
    });
    running.onChange(() => heard++);
    await running.finished;
    await new Promise(setImmediate);
    expect(heard).toBeGreaterThan(0);
    expect(log.lines.filter((line) => line.startsWith('error')).join()).toContain('display gone');
    expect(running.state).toMatchObject({ finished: true, releases: [{}, {}] });
  });
});

describe('patience', () => {
  it('is over when everybody has answered', async () => {
    const running = await search([lists(1), fails('UNREACHABLE')], { patience: { grace: LONG } });
    await running.enough;
    expect(states(running)).toEqual(['answered', 'failed']);
  });

  it('waits no longer than the grace once there is enough', async () => {
    const running = await search([lists(5), hangs()]);
    await running.enough;
    expect(states(running)).toEqual(['answered', 'asked']);
  });

  it('waits for more while there is little', async () => {
    const late = deferred<undefined>();
    const id = newId();
    const slow = fakeSource(id, async () => {
      await late.promise;
      return answer(films(id, 1));
    });
    const running = await search([lists(4), slow, hangs()]);
    let shown = false;
    const enough = running.enough.then(() => {
      shown = true;
    });
    await vi.waitFor(() => {
      expect(running.state.releases).toHaveLength(4);
    });
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(shown).toBe(false);
    late.resolve(undefined);
    await enough;
  });

  it('waits longer while there is little', async () => {
    const running = await search([lists(4), hangs()], { patience: { graceForFew: 50, grace: LONG } });
    await running.enough;
    expect(running.state.releases).toHaveLength(4);
  });

  it('does not count what does not fit', async () => {
    const running = await search([lists(50, 'Spring.2019'), hangs()], { patience: { overall: 300 } });
    await running.enough;
    expect(states(running)).toEqual(['answered', 'failed']);
  });

  it('counts only what is good: the list waits for a better one', async () => {
    const late = deferred<undefined>();
    const id = newId();
    const slow = fakeSource(id, async () => {
      await late.promise;
      return answer(films(id, 1));
    });
    const bad = lists(6);
    const isGood = ({ links }: Release) => links.some(({ source }) => source !== bad.id);
    const running = await search([bad, slow, hangs()], { isGood, patience: { graceForFew: 0 } });
    let shown = false;
    const enough = running.enough.then(() => {
      shown = true;
    });
    await vi.waitFor(() => {
      expect(running.state.releases).toHaveLength(6);
    });
    // Longer than both graces, of which a mistake would begin one.
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(shown).toBe(false);
    late.resolve(undefined);
    await enough;
    expect(running.state.releases).toHaveLength(7);
    expect(states(running)).toEqual(['answered', 'answered', 'asked']);
  });

  it('waits for everybody when nothing is good', async () => {
    const running = await search([lists(50), hangs()], {
      isGood: () => false,
      patience: { overall: 300, graceForFew: 0 },
    });
    await running.enough;
    expect(states(running)).toEqual(['answered', 'failed']);
  });

  it('asks once of each release whether it is good', async () => {
    const asked: Release[] = [];
    const isGood = (release: Release) => {
      asked.push(release);
      return false;
    };
    const running = await search([lists(3), lists(4, 'Spring.2019'), lists(2)], { isGood });
    await running.finished;
    await running.enough;
    expect(new Set(asked).size).toBe(asked.length);
    expect(new Set(asked.map(({ name }) => name))).toEqual(
      new Set(running.state.releases.map(({ name }) => name)),
    );
  });

  it('gives each source its own time', async () => {
    const [a, b, c] = [hangs(), hangs(), hangs()];
    const perSource = { [a.id]: 50, [c.id]: 150 };
    const running = await search([a, b, c], { patience: { source: 100, perSource } });
    const took = (index: number) => running.state.sources[index]?.took ?? 0;
    await running.finished;
    expect(running.state.sources.map((source) => source.failure?.code)).toEqual([
      'TIMEOUT',
      'TIMEOUT',
      'TIMEOUT',
    ]);
    expect(took(0)).toBeLessThanOrEqual(took(1));
    expect(took(1)).toBeLessThanOrEqual(took(2));
  });

  it('gives none more time than all have', async () => {
    const running = await search([hangs()], { patience: { overall: 50 } });
    await running.finished;
    expect(running.state.sources[0]?.failure?.code).toBe('TIMEOUT');
  });

  it('gives a source the time of its own also where that is longer than all have', async () => {
    const id = newId();
    const gate = deferred<undefined>();
    const slow = fakeSource(id, async () => {
      await gate.promise;
      return answer(films(id, 1));
    });
    const other = hangs();
    const running = await search([slow, other], {
      patience: { overall: 50, perSource: { [id]: LONG, [other.id]: 150 } },
    });
    await vi.waitFor(() => {
      expect(states(running)).toEqual(['asked', 'failed']);
    });
    gate.resolve(undefined);
    await running.finished;
    expect(states(running)).toEqual(['answered', 'failed']);
  });

  it('is not tried by a source that does not heed its signal', async () => {
    const deaf = fakeSource(newId(), () => new Promise(() => undefined));
    const running = await search([deaf], { patience: { source: 50 } });
    await running.finished;
    expect(states(running)).toEqual(['failed']);
  });

  it('still takes what comes after the list is up', async () => {
    const late = deferred<undefined>();
    const id = newId();
    const slow = fakeSource(id, async () => {
      await late.promise;
      return answer(films(id, 2));
    });
    const running = await search([lists(5), slow]);
    await running.enough;
    late.resolve(undefined);
    await running.finished;
    expect(running.state.releases).toHaveLength(7);
  });

  it('with ten sources of which three hang, two answer garbage, one is rate-limited and one floods', async () => {
    const sources = [
      ...[hangs(), hangs(), hangs()],
      ...[fails('BAD_ANSWER'), fails('BAD_ANSWER')],
      fails('RATE_LIMITED', 3_600_000),
      lists(10_000, 'Spring.2019'),
      ...[lists(3), lists(3), lists(3)],
    ];
    const running = await search(sources, { patience: { enough: 9, grace: 100 } });
    await running.enough;
    expect(running.state.releases).toHaveLength(9);
    expect(states(running).slice(0, 6)).toEqual(['asked', 'asked', 'asked', 'failed', 'failed', 'failed']);
    const line = statusLine(running.state);
    expect(line).toContain('still answer');
    for (const source of sources.slice(3, 5))
      expect(line).toContain(`${source.name}: an answer that makes no sense`);
    expect(line).toContain(`${sources[5]?.name ?? ''}: its limit is reached`);
  });
});

describe('one source', () => {
  it('has one query at a time, also of two searches', async () => {
    const id = newId();
    const source = fakeSource(id, async () => {
      await new Promise(setImmediate);
      return answer();
    });
    const both = await Promise.all([search([source]), search([source])]);
    await Promise.all(both.map(({ finished }) => finished));
    expect(source.queries.length).toBeGreaterThan(2);
    expect(source.mostAtOnce()).toBe(1);
  });

  it('has one query at a time also when a search that waited for its turn is closed', async () => {
    const gate = deferred<undefined>();
    const source = fakeSource(newId(), async () => {
      await gate.promise;
      return answer();
    });
    const first = await search([source]);
    await vi.waitFor(() => {
      expect(source.queries).toHaveLength(1);
    });
    const second = await search([source]);
    await second.close();
    const third = await search([source]);
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(source.queries).toHaveLength(1);
    gate.resolve(undefined);
    await Promise.all([first.finished, third.finished]);
    expect(source.mostAtOnce()).toBe(1);
  });

  it('is asked nothing while it rests', async () => {
    const rests = await newRests();
    const limited = fails('RATE_LIMITED', 3_600_000);
    await (await search([limited], { rests })).finished;
    expect(limited.queries).toHaveLength(1);
    const again = await search([limited], { rests });
    await again.finished;
    expect(limited.queries).toHaveLength(1);
    expect(again.state.sources[0]).toMatchObject({ state: 'resting', rest: { reason: 'limit' } });
  });

  it('is asked nothing by a search that waited while another one met the limit', async () => {
    const rests = await newRests();
    const limited = fakeSource(newId(), async () => {
      await new Promise(setImmediate);
      throw failure('RATE_LIMITED', 3_600_000);
    });
    const both = await Promise.all([search([limited], { rests }), search([limited], { rests })]);
    await Promise.all(both.map(({ finished }) => finished));
    expect(limited.queries).toHaveLength(1);
    expect(both.flatMap(states).sort()).toEqual(['failed', 'resting']);
  });

  describe('that one search got an answer from', () => {
    /** The first query is answered; each further one is what `next` says. The answer is read when `read` is called. */
    const answersOnce = async (next: Reply, { rests, patience }: Options = {}) => {
      const id = newId();
      let queries = 0;
      const source = fakeSource(id, (query, signal) =>
        ++queries === 1 ? answer(films(id, 1)) : next(query, signal),
      );
      const reading = deferred<undefined>();
      const first = await search([source], {
        ...(rests && { rests }),
        ...(patience && { patience }),
        loadParser: () => reading.promise.then(() => parseName),
      });
      await vi.waitFor(() => {
        expect(queries).toBe(1);
      });
      const second = await search([source], rests && { rests });
      await vi.waitFor(() => {
        expect(queries).toBe(2);
      });
      const read = () => {
        reading.resolve(undefined);
      };
      return { id, first, second, read };
    };

    it('keeps the rest that another one got while the answer was read', async () => {
      const rests = await newRests();
      const limited = () => Promise.reject(failure('RATE_LIMITED', 3_600_000));
      const { id, first, second, read } = await answersOnce(limited, { rests });
      await second.finished;
      read();
      await first.finished;
      expect([...states(first), ...states(second)]).toEqual(['answered', 'failed']);
      expect(await rests.of(id)).toMatchObject({ reason: 'limit' });
    });

    it('is forgiven only when no other query is under way, whose failure would be forgotten with it', async () => {
      const kept = await newRests();
      const order: string[] = [];
      const rests: Rests = {
        ...kept,
        answered: async (id) => {
          order.push('answered');
          await kept.answered(id);
        },
        failed: (id, error) => {
          order.push('failed');
          return kept.failed(id, error);
        },
      };
      const gate = deferred<undefined>();
      const limited = () => gate.promise.then(() => Promise.reject(failure('RATE_LIMITED', 3_600_000)));
      const { first, second, read } = await answersOnce(limited, { rests });
      read();
      await vi.waitFor(() => {
        expect(first.state.releases).toHaveLength(1);
      });
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      gate.resolve(undefined);
      await Promise.all([first.finished, second.finished]);
      expect(order).toEqual(['failed', 'answered']);
    });

    it('has answered also when the time ends before its turn to be forgiven comes', async () => {
      const { first, read } = await answersOnce(hang, { patience: { source: 300 } });
      read();
      await first.finished;
      expect(states(first)).toEqual(['answered']);
    });
  });

  it('does not rest for what the person gave up', async () => {
    const rests = await newRests();
    const source = hangs();
    for (let i = 0; i < 4; i++) {
      const running = await search([source], { rests });
      await new Promise(setImmediate);
      await running.close();
    }
    expect(await rests.of(source.id)).toBeUndefined();
  });

  it('leaves the time between two queries that it is due', async () => {
    const at: number[] = [];
    const source = fakeSource(newId(), () => {
      at.push(performance.now());
      return answer();
    });
    await (await search([source], { patience: { spacing: 40 } })).finished;
    const gaps = at.slice(1).map((time, i) => time - (at[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(0);
    // Timers may fire a millisecond early.
    for (const gap of gaps) expect(gap).toBeGreaterThan(38);
  });
});

describe('the end of a search', () => {
  it('comes with the reason of its signal', async () => {
    const controller = new AbortController();
    const running = await search([hangs()], { signal: controller.signal });
    const reason = new CancelledError('person');
    controller.abort(reason);
    await expect(running.enough).rejects.toBe(reason);
    await expect(running.finished).rejects.toBe(reason);
    expect(states(running)).not.toContain('failed');
  });

  it('is no failure when it is closed', async () => {
    const running = await search([hangs(), lists(1)]);
    await running.close();
    await running.enough;
    await running.finished;
    expect(states(running)).not.toContain('failed');
  });

  it('is at once when there is nobody to ask', async () => {
    const running = await search([]);
    await running.enough;
    await running.finished;
    expect(running.state).toMatchObject({ releases: [], sources: [], finished: true });
  });
});
