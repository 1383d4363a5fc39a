import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Removal } from '../../src/backends/backend.ts';
import { type AbandonedJob, openLedger } from '../../src/backends/ledger.ts';
import { WEBDAV_TIMINGS } from '../../src/backends/webdav/timings.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { MAY_APPEAR_MS, sweepJobs, sweepWhenDue, unplayedJobs } from '../../src/service/sweep-jobs.ts';
import { startLab } from '../backends/webdav/lab.ts';
import { memoryLog } from '../support/log.ts';

const HERE = 'webdav http://127.0.0.1:3000';
const live = () => new AbortController().signal;

describe('the sweep, with a real backend', () => {
  async function setUp() {
    const lab = await startLab();
    onTestFinished(() => lab.close());
    const folder = await mkdtemp(join(tmpdir(), 'slipstream-sweep-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const ledger = openLedger(folder, 60_000);
    return {
      lab,
      enter: (name: string) => ledger.enter(name, 'movies', lab.backend.identity),
      submit: (name: string) => lab.backend.submit(lab.film.nzb, name, lab.film.request, live()),
      sweep: async () => {
        await sweepJobs(await ledger.abandoned(), lab.backend, live(), memoryLog());
      },
      rows: () => readdir(join(folder, 'ledger')),
    };
  }

  test('removes a job that reaches the queue only after it was given up', async () => {
    const { lab, enter, submit, sweep, rows } = await setUp();
    lab.nextJobs('stuck');
    await (await enter('Sintel-0a1b2c3d')).abandon();
    await sweep();
    expect(await rows()).toHaveLength(1);
    await submit('Sintel-0a1b2c3d');
    await sweep();
    expect(lab.jobs()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('leaves alone what is being looked after', async () => {
    const { lab, enter, submit, sweep, rows } = await setUp();
    const entry = await enter('Sintel-0a1b2c3d');
    await entry.markSubmitted((await submit('Sintel-0a1b2c3d')).id);
    await sweep();
    expect(lab.jobs()).toEqual(['Sintel-0a1b2c3d']);
    expect(await rows()).toHaveLength(1);
  });
});

describe('a job whose process died right after it was handed over', () => {
  const STREAM = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
  const NAME = 'Sintel-0a1b2c3d';

  /** Its row is left behind; nobody looks after it. */
  async function setUp() {
    const folder = await mkdtemp(join(tmpdir(), 'slipstream-sweep-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const ledger = openLedger(folder, -1);
    const entry = await ledger.enter(NAME, 'movies', HERE);
    await entry.markPlaying(STREAM);
    const world = { announced: '', begun: '' };
    return {
      entry,
      world,
      rows: () => readdir(join(folder, 'ledger')),
      left: async () => {
        const streams = {
          announced: () => Promise.resolve(world.announced),
          hasBegun: (stream: string) => stream === world.begun,
        };
        return (await unplayedJobs(await ledger.abandoned(), streams)).map(({ name }) => name);
      },
    };
  }

  test('is let be while its stream is announced, and removed when that never began', async () => {
    const { world, left, rows } = await setUp();
    world.announced = STREAM;
    expect(await left()).toEqual([]);
    expect(await rows()).toHaveLength(1);
    world.announced = '';
    expect(await left()).toEqual([NAME]);
  });

  test('stays when its stream has begun, also after its end', async () => {
    const { world, left, rows } = await setUp();
    world.begun = STREAM;
    expect(await left()).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('is removed though its stream is announced when it was given up', async () => {
    const { entry, world, left } = await setUp();
    world.announced = STREAM;
    await entry.abandon();
    expect(await left()).toEqual([NAME]);
  });

  test('is removed when another stream is announced', async () => {
    const { world, left } = await setUp();
    world.announced = STREAM.replace('Sintel', 'Spring');
    expect(await left()).toEqual([NAME]);
  });
});

describe('the sweep', () => {
  /** Sweeps jobs of the given ages; what a removal comes to is told by the job's name. */
  async function swept(jobs: readonly Partial<AbandonedJob>[], outcomes: Record<string, Removal | Error>) {
    const asked: string[] = [];
    const struck: string[] = [];
    const remove = ({ name }: { readonly name: string }) => {
      asked.push(name);
      const outcome = outcomes[name] ?? 'removed';
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    };
    const abandoned = jobs.map(({ name = '', ...more }): AbandonedJob => {
      const strike = () => Promise.resolve(void struck.push(name));
      return { name, category: '', backend: HERE, entered: Date.now(), removeFromLedger: strike, ...more };
    });
    const log = memoryLog();
    await sweepJobs(abandoned, { name: 'nzbdav', identity: HERE, remove }, live(), log);
    return { asked, struck, log: log.lines.join('\n') };
  }

  const failure = (code: 'UNREACHABLE' | 'SERVICE_ERROR', transient: boolean) =>
    new SlipstreamError(code, { what: 'No.', next: 'None.' }, { transient });

  test.each([
    ['just begun', 0, []],
    ['may still appear', MAY_APPEAR_MS - 60_000, []],
    ['can no longer appear', MAY_APPEAR_MS, ['a']],
    ['entered before the clock was set back', -60_000, ['a']],
  ])('an absent job whose submission is %s', async (_name, age, struck) => {
    const result = await swept([{ name: 'a', entered: Date.now() - age }], { a: 'absent' });
    expect(result.struck).toEqual(struck);
  });

  test('waits longer for an absent job than its submission may take', () => {
    expect(MAY_APPEAR_MS).toBeGreaterThan(2 * (2 * WEBDAV_TIMINGS.submit));
  });

  test('asks no backend for the jobs of another', async () => {
    const { asked, struck } = await swept([{ name: 'a', backend: `${HERE}1` }, { name: 'b' }], {});
    expect([asked, struck]).toEqual([['b'], ['b']]);
  });

  test('ends the round when the backend cannot be asked', async () => {
    const { asked, log } = await swept([{ name: 'a' }, { name: 'b' }], { a: failure('UNREACHABLE', true) });
    expect(asked).toEqual(['a']);
    expect(log).toContain('still at nzbdav: UNREACHABLE');
  });

  test('goes on after a job that the backend refuses to remove', async () => {
    const { struck } = await swept([{ name: 'a' }, { name: 'b' }], { a: failure('SERVICE_ERROR', false) });
    expect(struck).toEqual(['b']);
  });
});

describe('the turns of the sweep', () => {
  const job = (name: string): AbandonedJob => ({
    name,
    category: 'movies',
    backend: HERE,
    entered: Date.now(),
    removeFromLedger: () => Promise.resolve(),
  });
  const names = (jobs: readonly AbandonedJob[]) => jobs.map(({ name }) => name).join();

  test('are at once for what was just given up, and then once in a round, also when it went wrong', async () => {
    const swept: string[] = [];
    const turn = sweepWhenDue(60_000, (due) => {
      swept.push(names(due));
      return due.length === 1 ? Promise.resolve() : Promise.reject(new Error('away'));
    });
    await turn([job('a')]);
    await turn([job('a')]);
    await turn([job('a'), job('b')]);
    await expect(turn([job('a'), job('b'), job('c'), job('d')])).rejects.toThrow('away');
    await turn([job('a'), job('b'), job('c'), job('d')]);
    expect(swept).toEqual(['a', 'b', 'c,d']);
  });

  test('come again after a round', async () => {
    const swept: string[] = [];
    const turn = sweepWhenDue(0, (due) => {
      swept.push(names(due));
      return Promise.resolve();
    });
    await turn([job('a')]);
    await turn([job('a'), job('b')]);
    expect(swept).toEqual(['a', 'a,b']);
  });
});
