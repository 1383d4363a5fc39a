import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CancelledError, type ErrorCode } from '../../../src/errors/index.ts';
import { deferred } from '../../../src/io/deferred.ts';
import type { Cooldowns } from '../../../src/search/run/cooldown.ts';
import { statusLine } from '../../../src/search/run/status-text.ts';
import { memoryLog } from '../../support/log.ts';
import { posting } from '../posts.ts';
import {
  EPISODE,
  fails,
  failure,
  films,
  hangs,
  lists,
  loadParser,
  newId,
  newRests,
  type Options,
  parseName,
  search,
  states,
} from '../searching.ts';
import { ALL_ABILITIES, answer, fakeSource, hang, type Reply } from '../sources.ts';

describe('a search', () => {
  it('merges what all sources find, and keeps apart what does not fit', async () => {
    const [a, b] = [lists(2), lists(3, 'Spring.2019')];
    const running = await search([a, b]);
    await running.finished;
    expect(running.state.releases).toHaveLength(2);
    expect(running.state.rejected.map(({ reason }) => reason)).toEqual(Array(3).fill('Another film: Spring'));
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

  it('of many sources makes Node.js warn of no leak', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => {
      process.off('warning', onWarning);
    });
    const running = await search(Array.from({ length: 30 }, () => lists(1)));
    await running.finished;
    await new Promise(setImmediate);
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
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
    expect(running.state).toMatchObject({ releases: [{}], rejected: [] });
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

  it('sends nothing where a source takes ids alone, and none of them is known', async () => {
    const idsOnly = { ...ALL_ABILITIES, movieIds: ['tmdb'], movieText: false, noPlainText: true } as const;
    const source = fakeSource(newId(), () => answer(), idsOnly);
    const running = await search([source]);
    await running.finished;
    expect(source.queries).toEqual([]);
    const [status] = running.state.sources;
    expect(status?.failure?.explanation.what).toContain('is asked by ids only');
    const beside = await search([fakeSource('ids', () => answer(), idsOnly), lists(1)]);
    await beside.finished;
    expect(statusLine(beside.state)).toBe('IDS: asked by ids only');
    const nothing = fakeSource(newId(), () => answer(), { ...idsOnly, movieIds: [], seriesIds: [] });
    const other = await search([nothing]);
    await other.finished;
    expect(other.state.sources[0]?.failure?.explanation.what).toContain('offers no search');
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

  it('is asked all the same when everybody rests for failures, but not before its limit is over', async () => {
    const rests = await newRests();
    const broken = fails('UNREACHABLE');
    for (let round = 0; round < 5; round++) await (await search([broken], { rests })).finished;
    expect(broken.queries).toHaveLength(5);
    const other = fails('RATE_LIMITED', 3_600_000);
    await (await search([broken, other], { rests })).finished;
    expect([broken.queries.length, other.queries.length]).toEqual([5, 1]);
    await (await search([broken, other], { rests })).finished;
    expect([broken.queries.length, other.queries.length]).toEqual([6, 1]);
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

  it.each<ErrorCode>(['RATE_LIMITED', 'AUTH_FAILED'])(
    'is asked nothing more after %s in the midst of an answer, of which the list is kept',
    async (code) => {
      const rests = await newRests();
      const id = newId();
      const met = failure(code, 3_600_000);
      // Nothing of it fits: the plan has further queries.
      const source = fakeSource(id, () => answer(films(id, 3, 'Spring.2019'), { failure: met }));
      const running = await search([source], { rests });
      await running.finished;
      expect(source.queries).toHaveLength(1);
      expect(running.state.sources[0]).toMatchObject({ state: 'failed', failure: met, found: 3 });
      expect(running.state.rejected).toHaveLength(3);
      // A wrong key is cured in the settings only.
      expect((await rests.of(id))?.reason).toBe(code === 'RATE_LIMITED' ? 'limit' : undefined);
    },
  );

  it('is asked nothing more after a limit in the midst of an answer that ignored the id', async () => {
    const id = newId();
    const met = failure('RATE_LIMITED', 3_600_000);
    const source = fakeSource(id, () => answer(films(id, 3), { ignoredId: true, failure: met }));
    const running = await search([source]);
    await running.finished;
    expect(source.queries).toHaveLength(1);
    expect(running.state.sources[0]).toMatchObject({ state: 'failed', failure: met, found: 0 });
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
      const rests: Cooldowns = {
        ...kept,
        recordSuccess: async (id) => {
          order.push('answered');
          await kept.recordSuccess(id);
        },
        recordFailure: (id, error) => {
          order.push('failed');
          return kept.recordFailure(id, error);
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
    await (await search([source], { patience: { querySpacing: 40 } })).finished;
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
    await expect(running.ready).rejects.toBe(reason);
    await expect(running.finished).rejects.toBe(reason);
    expect(states(running)).not.toContain('failed');
  });

  it('is no failure when it is closed', async () => {
    const running = await search([hangs(), lists(1)]);
    await running.close();
    await running.ready;
    await running.finished;
    expect(states(running)).not.toContain('failed');
  });

  it('is at once when there is nobody to ask', async () => {
    const running = await search([]);
    await running.ready;
    await running.finished;
    expect(running.state).toMatchObject({ releases: [], sources: [], finished: true });
  });
});
