import { describe, expect, it, vi } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { deferred } from '../../src/io/deferred.ts';
import { statusLine } from '../../src/search/run/status-text.ts';
import { EPISODE, failure, films, newId, newRests, search } from './searching.ts';
import {
  ALL_ABILITIES,
  answer,
  type FakeMember,
  fakeManager,
  fakeMember,
  fakeSource,
  hang,
} from './sources.ts';

const WITHOUT_IDS = { ...ALL_ABILITIES, movieIds: [], seriesIds: [] };
/** What a member was asked: "id", or the words. */
const asked = ({ queries }: FakeMember) => queries.map(({ id, text }) => (id === undefined ? text : 'id'));

/** A manager with a member for each of these. */
function managing(...make: readonly ((manager: { id: string; name: string }) => FakeMember)[]) {
  const id = newId();
  const manager = { id, name: id.toUpperCase() };
  const members = make.map((each) => each(manager));
  return { id, name: manager.name, members, manager: fakeManager(id, () => members) };
}

const listing = (name: string, count: number, title?: string) => (manager: { id: string; name: string }) =>
  fakeMember(manager, name, () => answer(films(`${manager.id}-${name}`, count, title)));

describe('the indexers behind a manager', () => {
  it('are sources of their own, each with its status', async () => {
    const { id, name, manager } = managing(listing('good', 2), (of) =>
      fakeMember(of, 'bad', () => Promise.reject(failure('BAD_ANSWER'))),
    );
    const running = await search([manager]);
    expect(running.state.sources).toMatchObject([{ id, state: 'waiting' }]);
    await running.finished;
    expect(running.state.releases).toHaveLength(2);
    expect(running.state.sources).toMatchObject([
      { id: `${id}/good`, name: 'good', manager: { id, name }, state: 'answered', found: 2 },
      { id: `${id}/bad`, name: 'bad', manager: { id, name }, state: 'failed' },
    ]);
    expect(statusLine(running.state)).toBe(
      `1 of 2 by ${name} · bad by ${name}: an answer that makes no sense`,
    );
  });

  it('do not wait for one that never answers', async () => {
    const { manager, name } = managing((of) => fakeMember(of, 'dead', hang), listing('good', 5));
    const running = await search([manager]);
    await running.ready;
    expect(running.state.releases).toHaveLength(5);
    // Its success is remembered on the disk before it counts as answered.
    await vi.waitFor(() => {
      expect(statusLine(running.state)).toBe(`waiting for dead by ${name} · 1 of 2 by ${name}`);
    });
  });

  it('are given their own patience, and are told by name when it is over', async () => {
    const { manager, name } = managing(listing('good', 1), (of) =>
      fakeMember(of, 'dead', hang, { timeout: 20 }),
    );
    const running = await search([manager]);
    await running.finished;
    expect(statusLine(running.state)).toContain(`dead by ${name}: no answer in time`);
  });

  it('have no more time together than the whole search has', async () => {
    const dead = (n: number) => (of: { id: string; name: string }) => fakeMember(of, `m${n}`, hang);
    const { manager, members, name } = managing(...Array.from({ length: 13 }, (_, n) => dead(n)));
    const running = await search([manager], { patience: { source: 100, overall: 100 } });
    await running.finished;
    // The thirteenth would be asked when the others are given up.
    expect(members.at(-1)?.queries).toEqual([]);
    expect(running.state.sources.map(({ failure }) => failure?.code)).toEqual(Array(13).fill('TIMEOUT'));
    expect(running.state.sources.at(-1)?.failure?.explanation.what).toContain(`m12 by ${name}`);
  });

  it('do not rest because the whole search was over, unless they had most of their time', async () => {
    const failed: string[] = [];
    const rests = {
      of: () => Promise.resolve(undefined),
      recordSuccess: () => Promise.resolve(),
      recordFailure: (id: string) => Promise.resolve(void failed.push(id)),
    };
    const dead = (n: number) => (of: { id: string; name: string }) =>
      fakeMember(of, `m${n}`, hang, { timeout: n < 12 ? 300 : 60_000 });
    const { id, manager } = managing(...Array.from({ length: 13 }, (_, n) => dead(n)));
    const running = await search([manager], { rests, patience: { overall: 400 } });
    await running.finished;
    expect(running.state.sources.map(({ state }) => state)).toEqual(Array(13).fill('failed'));
    expect(failed.toSorted()).toEqual(Array.from({ length: 12 }, (_, n) => `${id}/m${n}`).toSorted());
  });

  it('are each asked once before any is asked further, also more than twelve', async () => {
    const { manager, members } = managing(
      ...Array.from({ length: 12 }, (_, n) => listing(`none${n}`, 0)),
      listing('found', 1),
    );
    await (await search([manager])).finished;
    expect(members.map(({ queries }) => queries.length)).toEqual(Array(13).fill(1));
  });

  it('give the rest of a long list by one more query, and what came first at once', async () => {
    const gate = deferred<undefined>();
    const { manager } = managing((of) =>
      fakeMember(of, 'long', () => {
        const all = films(of.id, 3);
        return answer(all.slice(0, 1), {
          fetchRest: async () => {
            await gate.promise;
            return answer(all.slice(1));
          },
        });
      }),
    );
    const running = await search([manager]);
    await vi.waitFor(() => {
      expect(running.state.releases).toHaveLength(1);
    });
    gate.resolve(undefined);
    await running.finished;
    expect(running.state.releases).toHaveLength(3);
    expect(running.state.sources).toMatchObject([{ state: 'answered', found: 3 }]);
  });

  it('are asked twelve at a time', async () => {
    const gate = deferred<undefined>();
    let now = 0;
    let most = 0;
    const slow = (n: number) => (of: { id: string; name: string }) =>
      fakeMember(of, `m${n}`, async () => {
        most = Math.max(most, ++now);
        if (now === 12) gate.resolve(undefined);
        await gate.promise;
        now--;
        return answer(films(`${of.id}-${n}`, 1));
      });
    const { manager } = managing(...Array.from({ length: 30 }, (_, n) => slow(n)));
    const running = await search([manager]);
    await running.finished;
    expect(most).toBe(12);
    expect(running.state.releases).toHaveLength(30);
  });

  it('are asked further only where nothing of any of them fits', async () => {
    const { manager, members } = managing(listing('found', 1), listing('empty', 0));
    await (await search([manager])).finished;
    expect(members.map(asked)).toEqual([['id'], ['id']]);
    const nothing = managing(listing('one', 0), listing('other', 1, 'Spring.2019'));
    await (await search([nothing.manager])).finished;
    expect(nothing.members.map(asked)).toEqual(Array(2).fill(['id', 'sintel 2010', 'sintel']));
  });

  it('wait for the first answer of each before they are asked further', async () => {
    const gate = deferred<undefined>();
    const late = (of: { id: string; name: string }) =>
      fakeMember(of, 'late', async () => {
        await gate.promise;
        return answer(films(`${of.id}-late`, 1));
      });
    const { manager, members } = managing(listing('empty', 0), late);
    const running = await search([manager]);
    await expect.poll(() => members[0]?.queries.length).toBe(1);
    gate.resolve(undefined);
    await running.finished;
    expect(members.map(asked)).toEqual([['id'], ['id']]);
  });

  it('are asked by text where they know no ids, also when another has found something', async () => {
    const { manager, members } = managing(listing('found', 1), (of) =>
      fakeMember(of, 'text', () => answer(), { abilities: WITHOUT_IDS }),
    );
    await (await search([manager])).finished;
    expect(members.map(asked)).toEqual([['id'], ['sintel 2010']]);
  });

  it('are asked by text where the query was not passed on to them', async () => {
    const { manager, members } = managing(listing('found', 1), (of) =>
      fakeMember(of, 'unasked', ({ id }) => (id === undefined ? answer() : 'unsupported')),
    );
    await (await search([manager])).finished;
    expect(members.map(asked)).toEqual([['id'], ['id', 'sintel 2010']]);
  });

  it('have not failed where none of their queries is passed on', async () => {
    const { manager } = managing(listing('found', 1), (of) => fakeMember(of, 'never', () => 'unsupported'));
    const running = await search([manager]);
    await running.finished;
    expect(running.state.sources.map(({ state }) => state)).toEqual(['answered', 'answered']);
  });

  it('are looked at after an empty list, and not after any other', async () => {
    const until = Date.now() + 60_000;
    const { manager, members, name } = managing(listing('found', 1), (of) =>
      fakeMember(of, 'silent', () => answer(), {
        look: () => ({ kind: 'rests', rest: { until, reason: 'failures', why: 'it failed: no route' } }),
      }),
    );
    const running = await search([manager]);
    await running.finished;
    expect(members.map(({ looks }) => looks())).toEqual([0, 1]);
    expect(running.state.sources[1]).toMatchObject({ state: 'resting', rest: { until } });
    expect(statusLine(running.state)).toMatch(
      new RegExp(`silent by ${name} rests until .* because it failed: no route`),
    );
  });

  it('are not asked where the manager says that it would not', async () => {
    const off = new SlipstreamError('AUTH_FAILED', { what: 'It has switched x off.', next: 'Look there.' });
    const { manager, members } = managing(listing('found', 1), (of) =>
      fakeMember(of, 'off', () => answer(), { unavailability: { kind: 'failed', failure: off } }),
    );
    const running = await search([manager]);
    await running.finished;
    expect(members[1]?.queries).toEqual([]);
    expect(running.state.sources[1]).toMatchObject({ state: 'failed', failure: off });
    expect(statusLine(running.state)).toContain('It has switched x off');
  });

  it('rest by what the manager says no longer than until the next search', async () => {
    const rests = await newRests();
    const told: string[] = [];
    const { manager } = managing((of) =>
      fakeMember(of, 'mended', () => answer(told.length > 1 ? films(of.id, 1) : []), {
        look: () => {
          told.push('rests');
          return { kind: 'rests', rest: { until: Date.now() + 60_000, reason: 'failures' } };
        },
      }),
    );
    await (await search([manager], { rests })).finished;
    told.push('mended');
    const second = await search([manager], { rests });
    await second.finished;
    expect(second.state.sources).toMatchObject([{ state: 'answered', found: 1 }]);
  });

  it('are asked there only where they are set up as such', async () => {
    const direct = { ...fakeSource(newId(), () => answer(films('direct', 1))), place: 'indexer.example' };
    const { manager, members } = managing(listing('other', 1), (of) =>
      fakeMember(of, 'same', () => answer(), { place: 'indexer.example' }),
    );
    const running = await search([direct, manager]);
    await running.finished;
    expect(members[1]?.queries).toEqual([]);
    expect(running.state.sources.map(({ name }) => name)).toEqual([direct.name, 'other']);
  });

  it('are asked as one where the manager does not tell them apart', async () => {
    const id = newId();
    const joint = { ...fakeSource(id, () => answer(films(id, 2))), isAggregate: true } as const;
    const running = await search([fakeManager(id, () => joint)]);
    await running.finished;
    expect(running.state.sources).toMatchObject([{ id, state: 'answered', found: 2 }]);
  });

  it('are not there where the manager fails, which is told and brings its rest', async () => {
    const rests = await newRests();
    const id = newId();
    const manager = fakeManager(id, () => {
      throw failure('RATE_LIMITED', 60_000);
    });
    const running = await search([manager], { rests });
    await running.finished;
    expect(running.state.sources).toMatchObject([{ id, state: 'failed', rest: { reason: 'limit' } }]);
    const again = await search([manager], { rests });
    await again.finished;
    expect(manager.asked()).toBe(1);
    expect(again.state.sources).toMatchObject([{ id, state: 'resting' }]);
  });

  it('are forgiven with their manager: what it failed with long ago brings no rest', async () => {
    const rests = await newRests();
    const id = newId();
    let isAway = true;
    const manager = fakeManager(id, (of) => {
      if (isAway) throw failure('UNREACHABLE');
      return [fakeMember(of, 'good', () => answer(films(id, 1)))];
    });
    for (let play = 0; play < 6; play++) {
      isAway = play % 2 === 0;
      await (await search([manager, listing('other', 1)({ id: newId(), name: '' })], { rests })).finished;
    }
    expect(manager.asked()).toBe(6);
  });

  it('bring whole seasons beside an episode as any source does', async () => {
    const { manager, members } = managing(listing('a', 1, 'Caminandes.1.2'), listing('b', 0));
    await (await search([manager], { request: EPISODE, packs: true })).finished;
    expect(members.map(({ queries }) => queries.map(({ episode }) => episode))).toEqual([
      [2, undefined],
      [2, undefined],
    ]);
  });
});

describe('what is known of an earlier search', () => {
  it('leaves only those behind a manager to be asked that are missing, and who is new there', async () => {
    const { id, name, manager, members } = managing(
      listing('kept', 1),
      listing('failed', 1),
      listing('new', 1),
    );
    const place = { id, name };
    const status = { found: 0, fitting: 0, partial: [], manager: place };
    const running = await search([manager], {
      known: {
        postings: films(`${id}-kept`, 1),
        earlier: { searched: Date.now(), lost: 0 },
        sources: [
          { ...status, id: `${id}/kept`, name: 'kept', state: 'answered' },
          { ...status, id: `${id}/failed`, name: 'failed', state: 'failed', failure: failure('TIMEOUT') },
        ],
      },
    });
    await running.finished;
    expect(members.map(({ queries }) => queries.length)).toEqual([0, 1, 1]);
    expect(running.state.releases).toHaveLength(3);
    expect(running.state.sources.map((each) => [each.name, each.state])).toEqual([
      ['kept', 'answered'],
      ['failed', 'answered'],
      ['new', 'answered'],
    ]);
  });

  it('asks those again who rested, where the manager is asked anyway and would ask them now', async () => {
    const { id, name, manager, members } = managing(listing('mended', 1), listing('failed', 1));
    const status = { found: 0, fitting: 0, partial: [], manager: { id, name } };
    const rest = { until: Date.now() + 60_000, reason: 'failures' } as const;
    const running = await search([manager], {
      known: {
        postings: [],
        earlier: { searched: Date.now(), lost: 0 },
        sources: [
          { ...status, id: `${id}/mended`, name: 'mended', state: 'resting', rest },
          { ...status, id: `${id}/failed`, name: 'failed', state: 'failed', failure: failure('TIMEOUT') },
        ],
      },
    });
    await running.finished;
    expect(members.map(({ queries }) => queries.length)).toEqual([1, 1]);
    expect(running.state.sources.map(({ state }) => state)).toEqual(['answered', 'answered']);
  });

  it('does not hide that the manager is away now', async () => {
    const id = newId();
    const name = id.toUpperCase();
    const manager = fakeManager(id, () => {
      throw failure('UNREACHABLE');
    });
    const running = await search([manager], {
      known: {
        postings: films(`${id}-kept`, 1),
        earlier: { searched: Date.now(), lost: 0 },
        sources: [
          {
            id: `${id}/bad`,
            name: 'bad',
            state: 'failed',
            found: 0,
            fitting: 0,
            partial: [],
            manager: { id, name },
            failure: failure('BAD_ANSWER'),
          },
        ],
      },
    });
    expect(statusLine(running.state)).toContain(`waiting for ${name}`);
    await running.finished;
    expect(statusLine(running.state)).toBe(`found less than a minute ago · ${name}: cannot be reached`);
  });

  it('asks nobody behind a manager where nobody is missing', async () => {
    const { id, name, manager } = managing(listing('kept', 1));
    const kept = { id: `${id}/kept`, name: 'kept', state: 'answered', manager: { id, name } } as const;
    const running = await search([manager], {
      known: {
        postings: films(`${id}-kept`, 1),
        earlier: { searched: Date.now(), lost: 0 },
        sources: [{ ...kept, found: 1, fitting: 1, partial: [] }],
      },
    });
    await running.finished;
    expect(manager.asked()).toBe(0);
    expect(running.state.releases).toHaveLength(1);
  });
});
