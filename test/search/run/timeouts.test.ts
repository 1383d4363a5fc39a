import { describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../src/io/deferred.ts';
import type { Release } from '../../../src/model/index.ts';
import { statusLine } from '../../../src/search/run/status-text.ts';
import { fails, films, hangs, LONG, lists, newId, search, states } from '../searching.ts';
import { answer, fakeSource } from '../sources.ts';

describe('patience', () => {
  it('is over when everybody has answered', async () => {
    const running = await search([lists(1), fails('UNREACHABLE')], { patience: { grace: LONG } });
    await running.ready;
    expect(states(running)).toEqual(['answered', 'failed']);
  });

  it('waits no longer than the grace once there is enough', async () => {
    const running = await search([lists(5), hangs()]);
    await running.ready;
    expect(running.state.releases).toHaveLength(5);
    // The first one's success may still be on its way to the disk, and the other may not even have been asked.
    expect(states(running)).toEqual([
      expect.stringMatching(/^(?:asked|answered)$/),
      expect.stringMatching(/^(?:waiting|asked)$/),
    ]);
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
    const enough = running.ready.then(() => {
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
    await running.ready;
    expect(running.state.releases).toHaveLength(4);
  });

  it('does not count what does not fit', async () => {
    const running = await search([lists(50, 'Spring.2019'), hangs()], { patience: { overall: 300 } });
    await running.ready;
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
    const enough = running.ready.then(() => {
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
    // Its success is remembered on the disk before it counts as answered.
    await vi.waitFor(() => {
      expect(states(running)).toEqual(['answered', 'answered', 'asked']);
    });
  });

  it('waits for everybody when nothing is good', async () => {
    const running = await search([lists(50), hangs()], {
      isGood: () => false,
      patience: { overall: 300, graceForFew: 0 },
    });
    await running.ready;
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
    await running.ready;
    expect(new Set(asked).size).toBe(asked.length);
    expect(new Set(asked.map(({ name }) => name))).toEqual(
      new Set(running.state.releases.map(({ name }) => name)),
    );
  });

  it('gives each source its own time', async () => {
    const [a, b, c] = [hangs(), hangs(), hangs()];
    // So far apart that a busy machine does not end two of them at once.
    const perSource = { [a.id]: 50, [c.id]: 900 };
    const running = await search([a, b, c], { patience: { source: 450, perSource } });
    const took = (index: number) => running.state.sources[index]?.took ?? 0;
    await running.finished;
    expect(running.state.sources.map((source) => source.failure?.code)).toEqual([
      'TIMEOUT',
      'TIMEOUT',
      'TIMEOUT',
    ]);
    expect(took(0)).toBeLessThan(took(1));
    expect(took(1)).toBeLessThan(took(2));
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
    await running.ready;
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
    const running = await search(sources, { patience: { enoughReleases: 9, grace: 100 } });
    await running.ready;
    expect(running.state.releases).toHaveLength(9);
    expect(states(running).slice(0, 6)).toEqual(['asked', 'asked', 'asked', 'failed', 'failed', 'failed']);
    const line = statusLine(running.state);
    expect(line).toContain('waiting for');
    for (const source of sources.slice(3, 5))
      expect(line).toContain(`${source.name}: an answer that makes no sense`);
    expect(line).toContain(`${sources[5]?.name ?? ''}: its limit is reached`);
  });
});
