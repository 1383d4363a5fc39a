import { describe, expect, test } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { Random } from '../support/random.ts';
import {
  asks,
  type BackendUnderTest,
  clearFailure,
  comesTo,
  expectJobs,
  type Fate,
  type Misbehaviour,
  type Step,
} from './backend-play.ts';

/** A status in place of the right answer. */
export type Status = 403 | 404 | 429 | 500 | 502 | 503 | 504;
/** Where a fault hits; the contract's steps, and the reading of the located file. */
export type FaultyStep = Step | 'read';

/** A backend whose server can go wrong in every way that a play may meet. */
export interface FaultyBackend extends BackendUnderTest {
  /** stall: begins the right answer and falls silent in it. */
  misbehave(step: FaultyStep, how: Misbehaviour | Status | 'stall', times?: number): void;
  /** How often that has happened so far; absent: its lab does not count. */
  hits?(): number;
  /** fails-late: fails when it is at 99 %. */
  nextJobs(fate: Fate | 'fails-late'): void;
  /** Refuses connections for so many milliseconds, then is back with all that it knew. */
  restart(away: number): Promise<void>;
  /** Every fault ends, and what was shut is open again. */
  heal(): Promise<void>;
}

type Fault =
  | { readonly kind: 'wire'; readonly how: Misbehaviour | Status | 'stall' }
  | { readonly kind: 'job'; readonly fate: Fate | 'fails-late' }
  /** On the request of a number: away for a while, or for good. */
  | { readonly kind: 'restart' | 'refused' };

const wire = (...hows: readonly (Misbehaviour | Status | 'stall')[]): Fault[] =>
  hows.map((how) => ({ kind: 'wire', how }));
const job = (...fates: readonly (Fate | 'fails-late')[]): Fault[] =>
  fates.map((fate) => ({ kind: 'job', fate }));

const FAULTS: readonly Fault[] = [
  ...wire('wrong-key', 403, 404, 429, 500, 502, 503, 504, 'reset', 'hang', 'stall', 'truncated', 'html'),
  ...wire('wrong-shape', 'entity-bomb', 'lost-by-reset', 'lost-by-silence'),
  ...job('vanishes', 'fails', 'fails-late', 'stuck', 'damaged', 'no-folder'),
  { kind: 'refused' },
  { kind: 'restart' },
];
const STEPS = ['submit', 'wait', 'locate', 'read'] as const;

/** What goes wrong in one run. */
interface Scenario {
  readonly seed: number;
  readonly fault: Fault;
  readonly step: FaultyStep;
  /** How many requests of the step are hit; undefined: all. */
  readonly times: number | undefined;
  /** Of a restart: on which request of the play, and how long it lasts, in milliseconds. */
  readonly request: number;
  readonly away: number;
}

/** Neighbouring seeds meet different faults, so that sixty meet each of them at least twice. */
function scenario(seed: number): Scenario {
  const random = new Random(seed);
  const fault = FAULTS[seed % FAULTS.length] ?? { kind: 'restart' };
  const step = random.pick(STEPS);
  const times = random.pick([1, 2, 4, undefined]);
  return { seed, fault, step, times, request: random.int(1, 8), away: random.int(5, 150) };
}

function inWords({ seed, fault, step, times, request, away }: Scenario): string {
  const amount = times === undefined ? 'always' : `${times} times`;
  switch (fault.kind) {
    case 'wire':
      return `seed ${seed}: ${fault.how} at ${step}, ${amount}`;
    case 'job':
      return `seed ${seed}: the job ${fault.fate}`;
    case 'refused':
      return `seed ${seed}: refused from request ${request} on`;
    case 'restart':
      return `seed ${seed}: away for ${away} ms at request ${request}`;
  }
}

/** What a waiting backend sits out, when it does not happen more than twice; a 500 may be a release that failed. */
const HICCUPS: ReadonlySet<unknown> = new Set(['reset', 502, 503, 504]);

const isHiccup = ({ fault, step, times = Infinity }: Scenario) =>
  fault.kind === 'wire' && step === 'wait' && times <= 2 && HICCUPS.has(fault.how);

/** Milliseconds for a job, and for a whole play: more than the lab's own deadlines come to. */
const JOB_TIMEOUT = 1_500;
const PLAY_DEADLINE = 12_000;
const PIECE = 4096;

/**
 * Plays under seeded faults: each play ends with a file that reads, or with one clear message, and leaves no job behind
 * but those of others. SLIPSTREAM_SEED=n runs that seed alone.
 */
export function backendFaults(start: () => Promise<FaultyBackend>, runs = 60): void {
  const only = process.env['SLIPSTREAM_SEED'];
  const seeds = only === undefined ? Array.from({ length: runs }, (_, n) => n + 1) : [Number(only)];

  describe('under seeded faults (SLIPSTREAM_SEED repeats one)', () => {
    test.concurrent.each(seeds.map((seed) => [inWords(scenario(seed)), scenario(seed)] as const))(
      '%s',
      async (_name, scene) => {
        const lab = await start();
        try {
          await run(lab, scene);
        } finally {
          await lab.close();
        }
      },
    );
  });
}

async function run(lab: FaultyBackend, scene: Scenario): Promise<void> {
  const other = 'Somebody.elses.job';
  const { signal } = new AbortController();
  await patiently(() => lab.backend.submit(lab.film.nzb, other, lab.film.request, signal));
  const name = `Sintel.2010.1080p-${scene.seed}`;
  const outage = breakThings(lab, scene);
  const outcome: unknown = await play(lab, name).catch((error: unknown) => error);
  expectMet(lab, scene, outcome);
  if (outcome instanceof Error && !isHiccup(scene)) clearFailure(lab, outcome);
  else expect(outcome).toBe(PIECE);
  await outage();
  await lab.heal();
  const category = lab.backend.categoryOf(lab.film.request);
  await patiently(() => lab.backend.remove({ name, category }, signal));
  expectJobs(lab, [other]);
  for (const secret of lab.secrets) expect(lab.logged()).not.toContain(secret);
}

/** That the play has met its fault: one that never comes proves nothing. */
function expectMet(lab: FaultyBackend, { fault, step }: Scenario, outcome: unknown): void {
  if (fault.kind === 'wire' && lab.hits !== undefined && (step === 'read' || asks(lab, step)))
    expect(lab.hits()).toBeGreaterThan(0);
  if (fault.kind === 'job' && fault.fate === 'damaged' && comesTo(lab, 'damaged'))
    expect(outcome).toMatchObject({ code: 'DAMAGED' });
}

/** As the sweep does: what a busy machine has kept from being answered in a second is asked again. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries >= 5 || !(error instanceof SlipstreamError && error.transient)) throw error;
    }
  }
}

/** @returns waits for the end of what goes on by itself */
function breakThings(lab: FaultyBackend, { fault, step, times, request, away }: Scenario) {
  const outages: Promise<void>[] = [];
  let requests = 0;
  switch (fault.kind) {
    case 'wire':
      lab.misbehave(step, fault.how, times);
      break;
    case 'job':
      lab.nextJobs(fault.fate);
      break;
    case 'refused':
    case 'restart':
      lab.onRequest(() => {
        if (++requests === request) outages.push(fault.kind === 'restart' ? lab.restart(away) : lab.shut());
      });
  }
  return async () => {
    lab.onRequest(() => undefined);
    await Promise.all(outages);
  };
}

/** A whole play, as the resolver has it. @returns the bytes that were read from the file's middle */
async function play({ backend, film }: FaultyBackend, name: string): Promise<number> {
  const tooLate = new AbortController();
  const timer = setTimeout(() => {
    tooLate.abort(new Error('The play has outlived its deadlines.'));
  }, PLAY_DEADLINE);
  const { signal } = tooLate;
  try {
    const submitted = await backend.submit(film.nzb, name, film.request, signal);
    const options = { signal, timeout: JOB_TIMEOUT, onProgress: () => undefined };
    const finished = await backend.waitUntilReady(submitted, options);
    const { file } = await backend.locate(finished, film.request, signal);
    const range = { from: Math.floor((file.size ?? 0) / 2), length: PIECE };
    return (await backend.read(file, range, signal)).byteLength;
  } finally {
    clearTimeout(timer);
  }
}
