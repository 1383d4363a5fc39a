import { describe, expect, it, onTestFinished } from 'vitest';
import { otherVersion } from '../../support/fault-server/content.ts';
import { type Fault, NO_FAULTS, opaqueContent, startFaultServer } from '../../support/fault-server/index.ts';
import { Judge } from './judge.ts';
import { Player } from './player.ts';
import type { Step } from './scenario.ts';

// Player and judge before a server that does wrong on purpose: here it stands in the proxy's place.

const SIZE = 500_000;
const PATH = '/stream/film.mkv';
const PATIENCE = 400;

const READ_ALL: readonly Step[] = [
  { do: 'open', slot: 'a', first: 1000 },
  { do: 'read', slot: 'a', bytes: Infinity },
];

interface Trial {
  readonly faults?: readonly Fault[];
  readonly steps?: readonly Step[];
  /** Whether the server has another file than the judge. */
  readonly wrongFile?: boolean;
}

async function trial({ faults = [], steps = READ_ALL, wrongFile = false }: Trial) {
  const right = opaqueContent(SIZE);
  const content = wrongFile ? otherVersion(right) : right;
  const server = await startFaultServer({
    files: [{ path: PATH, content }],
    script: { ...NO_FAULTS, faults },
  });
  const judge = new Judge({ content: right, missing: [], untouchable: [], promise: 'everything' });
  const player = new Player({
    port: server.port,
    path: PATH,
    size: SIZE,
    judge,
    promise: 'everything',
    patience: { head: PATIENCE, byte: PATIENCE },
    factor: 1,
    signal: new AbortController().signal,
    trace: () => undefined,
  });
  onTestFinished(async () => {
    player.close();
    await server.close();
  });
  await player.run(steps);
  return { player, server, objections: judge.objections };
}

it('nothing is wrong with a server that does right', async () => {
  const { player, objections } = await trial({
    steps: [
      ...READ_ALL,
      { do: 'open', slot: 'b', first: 10 },
      { do: 'read', slot: 'b', bytes: 10_000 },
      { do: 'open', slot: 'a', first: 499_000, last: 499_999 },
      { do: 'read', slot: 'a', bytes: Infinity },
      { do: 'leave', slot: 'b', how: 'reset' },
      { do: 'open', slot: 'c', first: 0, whole: true },
      { do: 'read', slot: 'c', bytes: 1000 },
      { do: 'ask', method: 'HEAD', headers: {}, expect: 'all' },
      { do: 'ask', method: 'GET', headers: { range: `bytes=${SIZE}-` }, expect: 'none' },
      { do: 'pause', milliseconds: 1 },
      { do: 'both', left: READ_ALL, right: [{ do: 'open', slot: 'd', first: 7 }] },
    ],
  });
  expect(objections).toEqual([]);
  expect(player.received).toBe(SIZE - 1000 + 10_000 + 1000 + 1000 + SIZE - 1000);
});

describe('the judge hears of', () => {
  it.each<[string, Trial, RegExp]>([
    ['wrong bytes', { wrongFile: true }, /byte 1000 is/],
    [
      'a body that is short and looks whole',
      { faults: [{ kind: 'lie', lie: { what: 'length', by: -9 } }] },
      /length/,
    ],
    [
      'a head that promises less',
      { faults: [{ kind: 'lie', lie: { what: 'less', bytes: 9 } }] },
      /content-range/,
    ],
    ['chunks', { faults: [{ kind: 'lie', lie: { what: 'chunked' } }] }, /transfer-encoding is chunked/],
    ['a 200 for a part', { faults: [{ kind: 'lie', lie: { what: 'whole' } }] }, /status 200 instead of 206/],
    ['an error', { faults: [{ kind: 'status', status: 503 }] }, /status 503/],
    ['more than was promised', { faults: [{ kind: 'surplus', bytes: 10 }] }, /more came than was promised/],
    [
      'a cut',
      { faults: [{ kind: 'cut', at: { position: 9000 }, how: 'fin', times: 1 }] },
      /ended at byte 9000/,
    ],
    ['no answer', { faults: [{ kind: 'no-answer', how: 'reset', times: 1 }] }, /ended at byte 1000/],
    [
      'a head that does not come',
      { faults: [{ kind: 'late-head', milliseconds: 60_000 }] },
      /hangs: no head/,
    ],
    [
      'a body that does not go on',
      { faults: [{ kind: 'stall', at: { position: 9000 }, milliseconds: 60_000 }] },
      /hangs at byte 9000/,
    ],
  ])('%s', async (_what, wrong, objection) => {
    expect((await trial(wrong)).objections.join('\n')).toMatch(objection);
  });
});

it('comes back at the missing byte after a cut', async () => {
  const { player, server, objections } = await trial({
    faults: [{ kind: 'cut', at: { position: 9000 }, how: 'fin', times: 1 }],
  });
  expect(server.requests.map(({ range }) => range)).toEqual(['bytes=1000-', 'bytes=9000-']);
  expect([player.received, player.cuts, objections.length]).toEqual([SIZE - 1000, 1, 1]);
});

it('tells what stays open', async () => {
  const { player } = await trial({
    faults: [{ kind: 'stall', at: { position: 9000 }, milliseconds: 60_000 }],
    steps: [
      { do: 'open', slot: 'a', first: 0 },
      { do: 'read', slot: 'a', bytes: 5000 },
    ],
  });
  expect(await player.stillOpen(PATIENCE)).toEqual(['GET a bytes=0-']);
});
