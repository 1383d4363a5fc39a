import { afterEach, expect } from 'vitest';
import type { Backend, Nzb } from '../../src/backends/backend.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import type { Job, JobProgress, MediaRequest, Playable } from '../../src/model/index.ts';

/** The calls of a backend, as far as its server can tell them apart. */
export type Step = 'submit' | 'wait' | 'locate' | 'remove';

/** What a server may do instead of answering. */
export type Misbehaviour =
  | 'hang'
  | 'reset'
  | 'unavailable'
  | 'wrong-key'
  | 'html'
  | 'truncated'
  | 'wrong-shape'
  | 'entity-bomb'
  | 'endless'
  /** Does what it was asked, and the answer never arrives. */
  | 'lost-by-reset'
  | 'lost-by-silence';

/** What becomes of the jobs that are submitted from now on. */
export type JobFate = (typeof FATES)[number];
/** damaged: it completes, and the film's middle, a fifth of it, cannot be read. */
export const FATES = [
  ...(['fails', 'stuck', 'vanishes', 'empty'] as const),
  ...(['no-video', 'samples', 'no-folder', 'damaged'] as const),
];

/** A backend with its server. Its deadlines are short: a hanging server may cost a second, not a minute. */
export interface BackendUnderTest {
  readonly backend: Backend;
  /** It keeps no list of what is finished. */
  readonly keepsNoList?: true;
  /** Its server keeps no jobs that could be looked for, or removed. */
  readonly keepsNoJobs?: true;
  /** Its server lets jobs be removed, and leaves their files where they are. */
  readonly leavesFiles?: true;
  /** Its server chooses by itself what of an NZB it plays, so that it is given no packs. */
  readonly withoutPacks?: true;
  /** Its server names the wanted file of a job, and no other. */
  readonly namesOne?: true;
  /** What it gives to be played is an address that opens by the secret in it. */
  readonly secretAddresses?: true;
  /** The steps at which its server is asked anew; absent: all. */
  readonly steps?: readonly Step[];
  /** What can become of its jobs; absent: everything. */
  readonly fates?: readonly JobFate[];
  /** Requests of a whole play, and of a submission whose connection breaks each time, at the least; absent: 6 and 5. */
  readonly fewest?: { readonly play: number; readonly lost: number };
  readonly film: { readonly nzb: Nzb; readonly request: MediaRequest };
  /** Where its server gets the film's NZB itself; absent: it has no such thing. */
  readonly filmAddress?: string;
  /** A pack of several episodes, and one of them asked for; the file's name in the pack. */
  readonly pack: { readonly nzb: Nzb; readonly request: MediaRequest; readonly fileName: string };
  /** `times`: so many requests of that step; absent: all. */
  misbehave(step: Step, how: Misbehaviour, times?: number): void;
  /** Calls `listener` on each request that arrives, before it is answered. */
  onRequest(listener: () => void): void;
  nextJobs(fate: JobFate): void;
  refuseSubmissions(words: string): void;
  refuseRemovals(words: string): void;
  shut(): Promise<void>;
  /** Requests that arrived so far. */
  requests(): number;
  /** Bytes of bodies that were sent so far. */
  sent(): number;
  /** Names of the jobs that the server knows, running and finished. */
  jobs(): string[];
  /** Whether the file of a playable is still there. */
  opens(playable: Playable): Promise<boolean>;
  /** Everything that was logged. */
  logged(): string;
  /** Keys and passwords, which no text may contain. */
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

/** What a server may answer to anything. */
export const MISBEHAVIOURS: readonly Misbehaviour[] = [
  'hang',
  'reset',
  'unavailable',
  'html',
  'truncated',
  'wrong-shape',
  'entity-bomb',
  'endless',
];

/** A failure that the person understands and that gives nothing away. @throws what is none */
export function expectClearFailure({ secrets }: BackendUnderTest, error: unknown): SlipstreamError {
  if (!(error instanceof SlipstreamError)) throw error;
  const texts = [error.message, error.explanation.what, error.explanation.next].join('\n');
  for (const secret of secrets) expect(texts).not.toContain(secret);
  expect(error.explanation.what).toMatch(/\.$/);
  expect(error.code).not.toBe('INTERNAL');
  return error;
}

/** Whether the server is asked anything at that step that could go wrong. */
export const contactsServer = ({ steps }: BackendUnderTest, step: Step): boolean =>
  steps?.includes(step) ?? true;

/** Whether a job can come to that end. */
export const canEndAs = ({ fates }: BackendUnderTest, fate: JobFate): boolean =>
  fates?.includes(fate) ?? true;

/** That the server has these jobs and no others, where it keeps any. */
export function expectJobs(lab: BackendUnderTest, names: readonly string[]): void {
  if (lab.keepsNoJobs !== true) expect(lab.jobs()).toEqual(names);
}

export type BackendPlay = ReturnType<typeof backendPlay>;

/** What every suite about a backend does with it. Closes the lab after each test, and looks for secrets in its log. */
export function backendPlay(start: () => Promise<BackendUnderTest>) {
  let open: BackendUnderTest | undefined;
  let names = 0;

  const setUp = async () => (open = await start());
  const newName = () => `Sintel.2010.1080p-${++names}-0a1b2c3d`;
  const live = () => new AbortController().signal;

  const submit = (lab: BackendUnderTest, signal = live(), name = newName(), { nzb, request } = lab.film) =>
    lab.backend.submit(nzb, name, request, signal);
  const wait = (lab: BackendUnderTest, job: Job, signal = live(), seen: JobProgress[] = []) =>
    lab.backend.waitUntilReady(job, {
      signal,
      timeout: 5_000,
      onProgress: (progress) => seen.push(progress),
    });
  const finish = async (lab: BackendUnderTest, what = lab.film) =>
    wait(lab, await submit(lab, live(), newName(), what));

  async function failureOf(lab: BackendUnderTest, outcome: Promise<unknown>): Promise<SlipstreamError> {
    const error: unknown = await outcome.then(
      (value) => new Error(`expected a failure, got ${JSON.stringify(value)}`),
      (cause: unknown) => cause,
    );
    return expectClearFailure(lab, error);
  }

  afterEach(async () => {
    const text = open?.logged() ?? '';
    for (const secret of open?.secrets ?? []) expect(text).not.toContain(secret);
    await open?.close();
    open = undefined;
  });

  /** Aborts on the request of that number; false when the call needed fewer. */
  async function abortedOnArrival(
    lab: BackendUnderTest,
    call: (signal: AbortSignal) => Promise<unknown>,
    which: number,
  ): Promise<boolean> {
    const controller = new AbortController();
    // A deadline of the caller's: not to be taken for a failure of the server that another try might heal.
    const explanation = { what: 'The deadline of the test has passed.', next: 'None.' };
    const reason = new SlipstreamError('TIMEOUT', explanation, { transient: true });
    let arrived = 0;
    lab.onRequest(() => {
      if (++arrived === which) controller.abort(reason);
    });
    const outcome: unknown = await call(controller.signal).catch((error: unknown) => error);
    if (arrived < which) return false;
    expect(outcome).toBe(reason);
    expect(arrived).toBe(which);
    await nothingMore(lab);
    lab.onRequest(() => undefined);
    return true;
  }

  /** Long enough for several looks at the pace of the tests. */
  async function nothingMore(lab: BackendUnderTest): Promise<void> {
    const before = lab.requests();
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(lab.requests()).toBe(before);
  }

  return { setUp, newName, live, submit, wait, finish, failureOf, abortedOnArrival, nothingMore };
}
