import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ledger, openLedger } from '../../src/backends/ledger.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { poll } from '../../src/io/wait.ts';
import { Unplayable } from '../../src/resolver/unplayable.ts';
import {
  type PendingStream,
  PROPERTY,
  type ResolveContext,
  resolver,
  uniqueJobName,
} from '../../src/resolver.ts';
import { sweepJobs, unplayedJobs } from '../../src/service/sweep-jobs.ts';
import { READ_POLICY } from '../../src/stream-proxy/policy/policies.ts';
import { memoryLog } from '../support/log.ts';
import { startTestProxy } from '../support/proxy.ts';
import { Random } from '../support/random.ts';
import {
  type BackendUnderTest,
  canEndAs,
  contactsServer,
  expectClearFailure,
  type JobFate,
  type Misbehaviour,
  type Step,
} from './backend-play.ts';

/** A status in place of the right answer. */
export type Status = 403 | 404 | 429 | 500 | 502 | 503 | 504;
/** Where a fault hits: a step of the contract, or the reading of the located file. */
export type FaultyStep = Step | 'read';

/** A backend whose server can go wrong in every way that a play may meet. */
export interface FaultyBackend extends BackendUnderTest {
  /** stall: begins the right answer and falls silent in it. */
  misbehave(step: FaultyStep, how: Misbehaviour | Status | 'stall', times?: number): void;
  /** Its files are looked into once they play: damage in their middle shows no earlier. */
  readonly looksLater?: true;
  /** Milliseconds for a job; absent: JOB_TIMEOUT. */
  readonly jobTimeout?: number;
  /** How often that has happened so far; absent: its lab does not count. */
  hits?(): number;
  /** fails-late: fails when it is at 99 %. */
  nextJobs(fate: JobFate | 'fails-late'): void;
  /** Refuses connections for so many milliseconds, then is back with all that it knew. */
  restart(away: number): Promise<void>;
  /** Every fault ends, and what was shut is open again. */
  heal(): Promise<void>;
}

type Fault =
  | { readonly kind: 'wire'; readonly how: Misbehaviour | Status | 'stall' }
  | { readonly kind: 'job'; readonly fate: JobFate | 'fails-late' }
  /** On the request of a number: away for a while, or for good. */
  | { readonly kind: 'restart' | 'refused' };

const wire = (...hows: readonly (Misbehaviour | Status | 'stall')[]): Fault[] =>
  hows.map((how) => ({ kind: 'wire', how }));
const job = (...fates: readonly (JobFate | 'fails-late')[]): Fault[] =>
  fates.map((fate) => ({ kind: 'job', fate }));

const FAULTS: readonly Fault[] = [
  ...wire('wrong-key', 403, 404, 429, 500, 502, 503, 504, 'reset', 'hang', 'stall', 'truncated', 'html'),
  ...wire('wrong-shape', 'entity-bomb', 'lost-by-reset', 'lost-by-silence'),
  ...job('vanishes', 'fails', 'fails-late', 'stuck', 'damaged', 'no-folder'),
  { kind: 'refused' },
  { kind: 'restart' },
];
const STEPS = ['submit', 'wait', 'locate', 'read', 'remove'] as const;

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
  /** What can be played is handed over; else it is given up in the last moment. */
  readonly isHandedOver: boolean;
}

/** Neighbouring seeds meet different faults, so that sixty meet each of them at least twice. */
function scenario(seed: number): Scenario {
  const random = new Random(seed);
  const fault = FAULTS[seed % FAULTS.length] ?? { kind: 'restart' };
  const step = random.pick(STEPS);
  const times = random.pick([1, 2, 4, undefined]);
  const [request, away] = [random.int(1, 8), random.int(5, 150)];
  // What is handed over is not removed, and would meet no fault there.
  const isHandedOver = !(fault.kind === 'wire' && step === 'remove') && random.chance(0.5);
  return { seed, fault, step, times, request, away, isHandedOver };
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

const isOfReading = ({ fault, step }: Scenario) => fault.kind === 'wire' && step === 'read';

/** Milliseconds for a job; for a whole play, which may try its job twice; and for the sweep after it. */
const JOB_TIMEOUT = 1_500;
const PLAY_DEADLINE = 25_000;
const SWEEP_DEADLINE = 10_000;
/** What cannot be read is given up before a test is. */
const SOON = { ...READ_POLICY, firstByteTimeout: 4_000, nextByteTimeout: 4_000 };
/** As the ledger has it: longer than any play. */
const LIFETIME = 60_000;
const PIECE = 4096;

/**
 * Plays by the resolver under seeded faults, with the ledger and its sweep: each play ends with a file that reads, or with
 * one clear message, and leaves no job behind but those of others and the one that was handed over. Nobody but the
 * product removes any. SLIPSTREAM_SEED=n runs that seed alone.
 */
export function backendFaults(start: () => Promise<FaultyBackend>, runs = 60): void {
  const only = process.env['SLIPSTREAM_SEED'];
  const seeds = only === undefined ? Array.from({ length: runs }, (_, n) => n + 1) : [Number(only)];

  describe('under seeded faults (SLIPSTREAM_SEED repeats one)', () => {
    test.concurrent.each(seeds.map((seed) => [inWords(scenario(seed)), scenario(seed)] as const))(
      '%s',
      async (_name, scene) => {
        const lab = await start();
        const product = await startProduct(lab);
        try {
          await run(lab, scene, product);
        } finally {
          await product.close();
          await lab.close();
        }
      },
    );
  });
}

async function run(lab: FaultyBackend, scene: Scenario, product: Product): Promise<void> {
  const other = 'Somebody.elses.job';
  const { signal } = new AbortController();
  await patiently(() => lab.backend.submit(lab.film.nzb, other, lab.film.request, signal));
  const outage = breakThings(lab, scene);
  const outcome = await play(lab, product);
  // What is looked into once it plays meets its fault then.
  if (lab.looksLater === true && isOfReading(scene) && !(outcome instanceof Error))
    await readsBack(lab, outcome).catch(() => false);
  if (!(outcome instanceof Error)) await (scene.isHandedOver ? outcome.commit() : outcome.discard());
  expectMet(lab, scene, outcome);
  if (outcome instanceof Error && !isHiccup(scene)) expectClearFailure(lab, outcome);
  else expect(outcome).not.toBeInstanceOf(Error);
  await outage();
  await lab.heal();
  const isKept = !(outcome instanceof Error) && scene.isHandedOver;
  if (isKept) expect(await readsBack(lab, outcome)).toBe(true);
  await expectSwept(lab, product, isKept ? [other, product.jobName] : [other]);
  for (const secret of lab.secrets) expect([lab.logged(), ...product.lines].join()).not.toContain(secret);
}

/** What of the product a play meets beside its backend. */
interface Product {
  readonly context: ResolveContext;
  readonly ledger: Ledger;
  /** Of the job that is submitted. */
  readonly jobName: string;
  /** What was logged. */
  readonly lines: readonly string[];
  /** The jobs that the ledger knows of, looked after or not. */
  rows(): Promise<number>;
  /** Removes what was given up, as the service does in each of its rounds. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

async function startProduct({ backend, film, jobTimeout = JOB_TIMEOUT }: FaultyBackend): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-faults-'));
  const ledger = openLedger(folder, LIFETIME);
  const proxy = await startTestProxy({ policies: { read: SOON } });
  const log = memoryLog();
  const { signal } = new AbortController();
  const values = new Map<string, string>([
    [PROPERTY.proxyPort, String(proxy.port)],
    [PROPERTY.proxyToken, proxy.token],
  ]);
  const properties: ResolveContext['properties'] = {
    get: (name) => Promise.resolve(values.get(name) ?? ''),
    set: (name, value) => Promise.resolve(void values.set(name, value)),
    clear: (name) => Promise.resolve(void values.delete(name)),
  };
  const progress = { update: () => Promise.resolve(), printLine: () => undefined };
  const nothingPlays = { announced: () => Promise.resolve(''), hasBegun: () => false };
  return {
    context: { backend, ledger, properties, progress, signal, log, timeout: jobTimeout },
    ledger,
    lines: log.lines,
    jobName: uniqueJobName(film.nzb.release.name),
    rows: async () => (await readdir(join(folder, 'ledger')).catch(() => [])).length,
    sweep: async () => {
      await sweepJobs(await unplayedJobs(await ledger.abandoned(), nothingPlays), backend, signal, log);
    },
    close: async () => {
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether what was handed over can be read: by the player, or from the proxy in its middle. */
async function readsBack(lab: FaultyBackend, { stream }: PendingStream): Promise<boolean> {
  if (lab.backend.via === 'player')
    return await lab.opens({ via: 'player', url: stream.url, name: lab.film.nzb.release.name });
  const from = Math.floor((stream.size ?? 0) / 2);
  const answer = await fetch(stream.url, {
    headers: { range: `bytes=${from}-${from + PIECE - 1}`, connection: 'close' },
  });
  return (await answer.arrayBuffer()).byteLength === PIECE;
}

/** The product's sweep leaves these jobs, and the ledger nothing that nobody would look for again. */
async function expectSwept(lab: FaultyBackend, product: Product, names: readonly string[]): Promise<void> {
  const signal = new AbortController().signal;
  const look = async () => {
    await product.sweep();
    return lab.keepsNoJobs === true || lab.jobs().length === names.length || undefined;
  };
  await poll(look, { signal, interval: () => 20, deadline: SWEEP_DEADLINE });
  if (lab.keepsNoJobs !== true) expect(lab.jobs().toSorted()).toEqual(names.toSorted());
  expect(await product.rows()).toBe((await product.ledger.abandoned()).length);
}

/** That the play has met its fault: one that never comes proves nothing. */
function expectMet(lab: FaultyBackend, { fault, step }: Scenario, outcome: unknown): void {
  const isMet =
    step === 'read' || (contactsServer(lab, step) && !(step === 'remove' && lab.keepsNoJobs === true));
  if (fault.kind === 'wire' && lab.hits !== undefined && isMet) expect(lab.hits()).toBeGreaterThan(0);
  const isSeen = lab.looksLater !== true && canEndAs(lab, 'damaged');
  if (fault.kind === 'job' && fault.fate === 'damaged' && isSeen)
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

/** A whole play by the resolver, up to what could be handed over. A failure is given as the person is told it. */
async function play({ film }: FaultyBackend, { context, jobName }: Product): Promise<PendingStream | Error> {
  const signal = AbortSignal.timeout(PLAY_DEADLINE);
  // The indexers are no matter here.
  const fetchNzb = () => Promise.resolve(film.nzb);
  const stages = { ...resolver, fetchNzb, uniqueJobName: () => jobName };
  const choice = { kind: 'found', release: film.nzb.release } as const;
  try {
    return await resolver.resolveRelease(choice, film.request, { ...context, signal }, stages);
  } catch (error) {
    return error instanceof Unplayable ? error.failure : (error as Error);
  }
}
