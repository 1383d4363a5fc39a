import { afterEach, describe, expect, it } from 'vitest';
import { mkvClip } from '../../../sandbox/clips/index.ts';
import { clipContent, type Script } from '../../support/fault-server/index.ts';
import { COMPLETE, type Stage, setStage } from './stage.ts';

const SIZE = 100_000_000;
const FILM = clipContent(mkvClip({ name: 'Sintel.2010.mkv', seconds: 1000, size: SIZE }));
const AT = 30_000_000;
/** The body under way ends here, and what is asked for next is answered by the rest of the script. */
const CUT = { kind: 'cut', at: { position: AT }, how: 'fin', times: 1 } as const;
/** All of the film but its start: as InfiniDysk with its cache off answers while the provider is away. */
const AWAY = { first: 5_000_000, last: SIZE - 1, status: 404 } as const;

let stage: Stage;
afterEach(() => stage.close());

async function play(script: Partial<Script>, fills = {}) {
  stage = await setStage({ content: FILM, serving: COMPLETE, fills: { freshFor: 0, ...fills } });
  // A place that was read, so that it can be looked at.
  await stage.read({ first: 20_000_000, last: 20_100_000 });
  const { server } = stage;
  server.play({
    faults: [],
    missing: [],
    late: [],
    latency: 0,
    pace: {},
    idle: Infinity,
    dialect: 'nzbdav',
    ...script,
  });
  return stage;
}

describe('a 404', () => {
  it('of a job that was deleted while it plays ends the film, by few requests, and says so', async () => {
    await play({ faults: [CUT, { kind: 'status', status: 404 }] });
    const asked = stage.server.requests.length;
    await expect(stage.read({ first: AT, last: AT + 2_000_000 })).rejects.toThrow();
    // Two for the place, one for a byte that was fine, and two for the first byte, the second one a moment later.
    expect(stage.server.requests.length - asked).toBeLessThanOrEqual(5);
    expect(stage.report().failure?.what).toContain('it was there and is gone');
    // The next request of the player is answered without any.
    const before = stage.server.requests.length;
    await expect(stage.read({ first: AT + 5_000_000, last: AT + 5_000_100 })).rejects.toThrow();
    expect(stage.server.requests.length).toBe(before);
    expect(stage.report().fills).toEqual([]);
  });

  it('of a server that has trouble of its own is told, waited out, and nothing is filled', async () => {
    await play({ late: [{ ...AWAY, milliseconds: 1_000 }] }, { reportAfter: 300 });
    const reading = stage.read({ first: AT, last: AT + 2_000_000 });
    await expect.poll(() => stage.report().trouble?.kind, { timeout: 5_000 }).toBe('missing');
    const bytes = await reading;
    expect(stage.isRight(bytes, AT)).toBe(true);
    expect(stage.report()).toMatchObject({ fills: [], counters: { lost: 0 } });
    expect(stage.report().trouble).toBeUndefined();
  });

  it('of such trouble that lasts is given up, told as the server’s, and not remembered for good', async () => {
    await play({ missing: [AWAY] }, { reportAfter: 100, giveUpAfter: 400 });
    await expect(stage.read({ first: AT, last: AT + 2_000_000 })).rejects.toThrow();
    expect(stage.report().failure?.what).toContain('answered with an error of its own');
    expect(stage.report().fills).toEqual([]);
    expect(stage.report().lost).toBeUndefined();
  });

  it('of trouble that began right after bytes came is not remembered for good either', async () => {
    await play({ missing: [AWAY] }, { freshFor: 5_000, reportAfter: 100, giveUpAfter: 400 });
    await expect(stage.read({ first: AT, last: AT + 2_000_000 })).rejects.toThrow();
    expect(stage.report()).toMatchObject({ fills: [] });
    expect(stage.report().lost).toBeUndefined();
  });

  it('is believed after two, where bytes came a moment ago', async () => {
    const hole = { first: 40 * 716_800, last: 41 * 716_800 - 1 };
    await play({ missing: [hole] }, { freshFor: 5_000 });
    await stage.read({ first: hole.first - 100, last: hole.last + 100 });
    const met = stage.server.requests.filter(
      ({ status, range }) => status === 404 && range?.startsWith(`bytes=${hole.first}-`),
    );
    // And once more, before it is filled.
    expect(met.length).toBe(3);
    expect(stage.server.requests.filter(({ range }) => range === 'bytes=20000000-20000000')).toEqual([]);
  });

  it('that is said for a moment only is waited out, however few bytes it is for', async () => {
    const passing = { first: AT, last: AT + 3, milliseconds: 600, status: 404 } as const;
    await play({ late: [passing] }, { freshFor: 5_000, confirmAfter: 750 });
    const bytes = await stage.read({ first: AT - 100, last: AT + 100_000 });
    expect(stage.isRight(bytes, AT - 100)).toBe(true);
    expect(stage.report()).toMatchObject({ fills: [], counters: { lost: 0 } });
  });

  it('that is said of the whole film, for a moment only, does not end it', async () => {
    const passing = { first: 0, last: SIZE - 1, milliseconds: 300, status: 404 } as const;
    await play({ late: [passing] }, { confirmAfter: 750 });
    const bytes = await stage.read({ first: AT, last: AT + 100_000 });
    expect(stage.isRight(bytes, AT)).toBe(true);
    expect(stage.report()).toMatchObject({ fills: [], counters: { lost: 0 } });
    expect(stage.report().failure).toBeUndefined();
  });

  it('of a moment beside a lost place does not make that longer', async () => {
    const hole = { first: AT, last: AT + 49_999 };
    const passing = { first: AT + 50_000, last: AT + 716_799, milliseconds: 300, status: 404 } as const;
    await play({ missing: [hole], late: [passing] }, { freshFor: 5_000, confirmAfter: 750 });
    const bytes = await stage.read({ first: AT - 100, last: AT + 1_000_000 });
    expect(stage.isRight(bytes.subarray(50_100), AT + 50_000)).toBe(true);
    expect(stage.report()).toMatchObject({ fills: [hole], counters: { lost: 0 } });
  });

  it('of a moment between two lost articles fills none of them that has come', async () => {
    const article = 716_800;
    const hole = { first: AT, last: AT + article - 1 };
    const behind = { first: AT + 2 * article, last: AT + 3 * article - 1 };
    const between = { first: AT + article, last: AT + 2 * article - 1 };
    const late = [{ ...between, milliseconds: 300, status: 404 } as const];
    await play({ missing: [hole, behind], late }, { freshFor: 5_000, confirmAfter: 750 });
    await stage.read({ first: AT - 100, last: AT + 3_000_000 });
    expect(stage.report().fills).toMatchObject([hole, behind]);
  });

  it('is held against a byte that was fine, where none came for a while', async () => {
    const hole = { first: 40 * 716_800, last: 41 * 716_800 - 1 };
    await play({ missing: [hole] });
    await stage.read({ first: hole.first, last: hole.last + 100 });
    expect(stage.server.requests.filter(({ range }) => range === 'bytes=20000000-20000000').length).toBe(1);
    expect(stage.report().fills).toMatchObject([hole]);
  });
});
