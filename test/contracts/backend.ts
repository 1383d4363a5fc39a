import { expect, test } from 'vitest';
import type { JobProgress } from '../../src/model/index.ts';
import { finishedContract } from './backend-finished.ts';
import {
  type BackendUnderTest,
  backendPlay,
  canEndAs,
  contactsServer,
  expectJobs,
  type JobFate,
  MISBEHAVIOURS,
  type Misbehaviour,
  type Step,
} from './backend-play.ts';

export type { BackendUnderTest, JobFate, Misbehaviour } from './backend-play.ts';

const STEPS: readonly Step[] = ['submit', 'wait', 'locate', 'remove'];
const MB = 1024 * 1024;

/** What every Backend promises (src/backends/backend.ts). */
export function backendContract(start: () => Promise<BackendUnderTest>): void {
  const play = backendPlay(start);
  const { setUp, newName, live, submit, wait, finish, failureOf, abortedOnArrival, nothingMore } = play;

  /** Leads up to the step, then gives the call that makes it. */
  async function upTo(lab: BackendUnderTest, step: Step): Promise<(signal: AbortSignal) => Promise<unknown>> {
    if (step === 'submit') return (signal) => submit(lab, signal);
    if (step === 'wait') {
      const job = await submit(lab);
      return (signal) => wait(lab, job, signal);
    }
    const job = await finish(lab);
    return (signal) =>
      step === 'locate' ? lab.backend.locate(job, lab.film.request, signal) : lab.backend.remove(job, signal);
  }

  test('takes an NZB and gives a video that opens', async () => {
    const lab = await setUp();
    const name = newName();
    const job = await submit(lab, live(), name);
    expect(job).toMatchObject({ name, category: lab.backend.categoryOf(lab.film.request) });
    expectJobs(lab, [name]);
    const { file: playable } = await lab.backend.locate(await wait(lab, job), lab.film.request, live());
    expect(playable.name).toMatch(/\.\w{2,4}$/);
    expect(playable.size).toBeGreaterThan(0);
    if (lab.secretAddresses !== true)
      for (const secret of lab.secrets) expect(playable.url).not.toContain(secret);
    expect(await lab.opens(playable)).toBe(true);
  });

  test('takes an address in place of an NZB, where its server fetches that itself', async () => {
    const lab = await setUp();
    const { backend, film, filmAddress } = lab;
    // Which of them it is some servers tell by a job only.
    await backend.remove(await finish(lab), live());
    const { submitAddress } = backend;
    expect(submitAddress !== undefined).toBe(filmAddress !== undefined);
    if (submitAddress === undefined || filmAddress === undefined) return;
    const name = newName();
    const job = await submitAddress({ url: filmAddress }, name, film.request, live());
    expect(job).toMatchObject({ name, category: backend.categoryOf(film.request) });
    expectJobs(lab, [name]);
    const { file } = await backend.locate(await wait(lab, job), film.request, live());
    expect(await lab.opens(file)).toBe(true);
    await backend.remove({ name }, live());
    expectJobs(lab, []);
  });

  test('tells nothing of an address at which its server gets nothing', async () => {
    const lab = await setUp();
    await lab.backend.finishedJobs(live());
    const { submitAddress } = lab.backend;
    if (submitAddress === undefined) return;
    const address = 'http://127.0.0.1:9/getnzb/path-k3y?apikey=query-k3y';
    const error = await failureOf(lab, submitAddress({ url: address }, newName(), lab.film.request, live()));
    expect(error).toMatchObject({ code: 'SUBMIT_REFUSED', transient: false });
    expect(`${error.message} ${JSON.stringify(error.explanation)} ${lab.logged()}`).not.toMatch(/k3y/);
    expectJobs(lab, []);
  });

  test('finds the episode that was asked for in a pack', async () => {
    const lab = await setUp();
    if (lab.withoutPacks) return;
    const { file: playable } = await lab.backend.locate(
      await finish(lab, lab.pack),
      lab.pack.request,
      live(),
    );
    expect(playable.name).toBe(lab.pack.fileName);
  });

  test('takes a name with blanks, quotes and letters of any alphabet', async () => {
    const lab = await setUp();
    const name = `Sintel's "Größe" & 100% дракон #1 + [2010]-0a1b2c3d`.replaceAll('"', '');
    const { file: playable } = await lab.backend.locate(
      await wait(lab, await submit(lab, live(), name)),
      lab.film.request,
      live(),
    );
    expect(await lab.opens(playable)).toBe(true);
    await lab.backend.remove({ name }, live());
    expectJobs(lab, []);
  });

  test('reports progress that is true: changes only, within bounds, never backwards, ready at the end', async () => {
    const lab = await setUp();
    const seen: JobProgress[] = [];
    await wait(lab, await submit(lab), live(), seen);
    const order = ['queued', 'downloading', 'verifying', 'repairing', 'unpacking', 'ready'];
    const places = seen.map(({ stage, percent }) => order.indexOf(stage) * 1000 + (percent ?? 0));
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    expect(seen.every(({ percent }) => percent === undefined || (percent >= 0 && percent <= 100))).toBe(true);
    expect(seen.at(-1)).toEqual({ stage: 'ready', percent: 100 });
  });

  test.each<Misbehaviour>(['lost-by-reset', 'lost-by-silence'])(
    'has one job when the answer to the submission is %s',
    async (how) => {
      const lab = await setUp();
      lab.misbehave('submit', how, 1);
      const job = await submit(lab);
      expectJobs(lab, [job.name]);
      await wait(lab, job);
      expectJobs(lab, [job.name]);
    },
  );

  test.each<Misbehaviour>(['reset', 'unavailable', 'truncated', 'html'])(
    'has the one job or none, and says that it may yet turn up, when the first submission meets: %s',
    async (how) => {
      const lab = await setUp();
      const name = newName();
      lab.misbehave('submit', how, 1);
      const outcome: unknown = await submit(lab, live(), name).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        const { code, transient } = await failureOf(lab, Promise.reject(outcome));
        expect([code, transient]).toEqual(['SUBMIT_REFUSED', true]);
      }
      expectJobs(lab, outcome instanceof Error ? [] : [name]);
    },
  );

  test('does not repeat a submission that is refused, and says why', async () => {
    const lab = await setUp();
    lab.refuseSubmissions('The queue is full');
    const error = await failureOf(lab, submit(lab));
    expect([error.code, error.transient]).toEqual(['SUBMIT_REFUSED', false]);
    expect(error.explanation.what).toContain('The queue is full');
    expect(lab.requests()).toBe(1);
  });

  test('gives up a submission that is never answered, without having asked for ever', async () => {
    const lab = await setUp();
    lab.misbehave('submit', 'unavailable');
    const { code, transient } = await failureOf(lab, submit(lab));
    // Nobody said no: it may still turn up.
    expect([code, transient]).toEqual(['SUBMIT_REFUSED', true]);
    expect(lab.requests()).toBeLessThan(40);
  });

  test.each(STEPS)('reports wrong credentials at once: %s', async (step) => {
    const lab = await setUp();
    if (!contactsServer(lab, step)) return;
    const call = await upTo(lab, step);
    lab.misbehave(step, 'wrong-key');
    const before = lab.requests();
    expect((await failureOf(lab, call(live()))).code).toBe('AUTH_FAILED');
    // A removal looks for the job first.
    expect(lab.requests() - before).toBe(step === 'remove' ? 3 : 1);
  });

  test.each(STEPS)('reports a server that is away: %s', async (step) => {
    const lab = await setUp();
    if (!contactsServer(lab, step)) return;
    const call = await upTo(lab, step);
    await lab.shut();
    expect((await failureOf(lab, call(live()))).code).toBe('UNREACHABLE');
  });

  test.each(STEPS.flatMap((step) => MISBEHAVIOURS.map((how) => [step, how] as const)))(
    'comes to an end with an error, or unharmed, at: %s, %s',
    async (step, how) => {
      const lab = await setUp();
      if (!contactsServer(lab, step)) return;
      const call = await upTo(lab, step);
      lab.misbehave(step, how);
      const before = lab.sent();
      const outcome: unknown = await call(live()).catch((error: unknown) => error);
      if (outcome instanceof Error) await failureOf(lab, Promise.reject(outcome));
      // The exception: a submission that can be found in spite of its answer.
      else expect(step).toBe('submit');
      expect(lab.sent() - before).toBeLessThan(256 * MB);
    },
  );

  test('sits out a server that is away for a moment', async () => {
    const lab = await setUp();
    const job = await submit(lab);
    if (contactsServer(lab, 'wait')) lab.misbehave('wait', 'unavailable', 3);
    await wait(lab, job);
    const finished = await finish(lab);
    lab.misbehave('locate', 'unavailable', 2);
    await lab.backend.locate(finished, lab.film.request, live());
  });

  test.each<[JobFate, string]>([
    ['fails', 'JOB_FAILED'],
    ['vanishes', 'JOB_FAILED'],
  ])('reports a job that %s', async (fate, code) => {
    const lab = await setUp();
    lab.nextJobs(fate);
    expect((await failureOf(lab, finish(lab))).code).toBe(code);
  });

  test('gives a job no more than its time, even when the server hangs', async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const job = await submit(lab);
    const options = { signal: live(), timeout: 60, onProgress: () => undefined };
    expect((await failureOf(lab, lab.backend.waitUntilReady(job, options))).code).toBe('JOB_TIMEOUT');
    lab.misbehave('wait', 'hang');
    expect((await failureOf(lab, lab.backend.waitUntilReady(job, options))).code).toBe('JOB_TIMEOUT');
  });

  test.each<JobFate>(['empty', 'no-video', 'samples'])('says that there is no video: %s', async (fate) => {
    const lab = await setUp();
    if (!canEndAs(lab, fate)) return;
    lab.nextJobs(fate);
    const job = await finish(lab);
    expect((await failureOf(lab, lab.backend.locate(job, lab.film.request, live()))).code).toBe('NO_VIDEO');
  });

  test('does not blame the release when the finished files are not where they should be', async () => {
    const lab = await setUp();
    if (!canEndAs(lab, 'no-folder')) return;
    lab.nextJobs('no-folder');
    const job = await finish(lab);
    const error = await failureOf(lab, lab.backend.locate(job, lab.film.request, live()));
    expect(error.code).toBe('BAD_ANSWER');
    expect(error.explanation.next).toMatch(/address/);
  });

  test('removes a running job by its id, and others not', async () => {
    const lab = await setUp();
    if (lab.keepsNoJobs) return;
    lab.nextJobs('stuck');
    const [first, second] = [await submit(lab), await submit(lab)];
    expect(await lab.backend.remove(first, live())).toBe('removed');
    expect(lab.jobs()).toEqual([second.name]);
  });

  test('removes a finished job with its files, and an absent one without complaint', async () => {
    const lab = await setUp();
    if (lab.keepsNoJobs) return;
    const job = await finish(lab);
    const { file: playable } = await lab.backend.locate(job, lab.film.request, live());
    expect(await lab.backend.remove(job, live())).toBe('removed');
    expect(lab.jobs()).toEqual([]);
    expect(await lab.opens(playable)).toBe(lab.leavesFiles === true);
    expect(await lab.backend.remove(job, live())).toBe('absent');
  });

  test('removes by name what it has no id of, running and finished', async () => {
    const lab = await setUp();
    if (lab.keepsNoJobs) return;
    const finished = await finish(lab);
    lab.nextJobs('stuck');
    const running = await submit(lab);
    const other = await submit(lab);
    for (const { name, category } of [finished, running])
      expect(await lab.backend.remove({ name, category }, live())).toBe('removed');
    const unknown = { name: 'never submitted', category: '' };
    expect(await lab.backend.remove(unknown, live())).toBe('absent');
    expect(lab.jobs()).toEqual([other.name]);
  });

  test('removes everything under the name of a job that has another id now, or was sent twice', async () => {
    const lab = await setUp();
    if (lab.keepsNoJobs) return;
    lab.nextJobs('stuck');
    const stale = await submit(lab);
    await lab.backend.remove(stale, live());
    await submit(lab, live(), stale.name);
    await submit(lab, live(), stale.name);
    // Two, where the second has not replaced the first.
    expect(new Set(lab.jobs())).toEqual(new Set([stale.name]));
    expect(await lab.backend.remove(stale, live())).toBe('removed');
    expect(lab.jobs()).toEqual([]);
  });

  test('tells when the server refuses to remove the job', async () => {
    const lab = await setUp();
    if (lab.keepsNoJobs) return;
    const job = await submit(lab);
    lab.refuseRemovals('The job is locked');
    const error = await failureOf(lab, lab.backend.remove(job, live()));
    expect(error.code).toBe('SERVICE_ERROR');
    expect(error.explanation.what).toContain('The job is locked');
    expect(lab.jobs()).toEqual([job.name]);
  });

  test('says which server it is, without a secret', async () => {
    const { backend, secrets } = await setUp();
    expect(backend.identity).toMatch(/^\w+ http:\/\/127\.0\.0\.1:\d+$/);
    for (const secret of secrets) expect(backend.identity).not.toContain(secret);
  });

  test.each(STEPS)('asks nothing when its signal has aborted before: %s', async (step) => {
    const lab = await setUp();
    const call = await upTo(lab, step);
    const before = lab.requests();
    const reason = new Error('enough');
    await expect(call(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(lab.requests()).toBe(before);
  });

  test.each(STEPS)('ends with the reason of its signal while the server hangs: %s', async (step) => {
    const lab = await setUp();
    if (!contactsServer(lab, step)) return;
    const call = await upTo(lab, step);
    lab.misbehave(step, 'hang');
    expect(await abortedOnArrival(lab, call, 1)).toBe(true);
  });

  test('ends with the reason of its signal on whichever request it aborts, and asks nothing after', async () => {
    const lab = await setUp();
    const playThrough = async (signal: AbortSignal) => {
      const job = await submit(lab, signal);
      const { file: video } = await lab.backend.locate(
        await wait(lab, job, signal),
        lab.film.request,
        signal,
      );
      await lab.backend.remove({ name: job.name }, signal);
      return video;
    };
    let broken = 0;
    while (broken < 14 && (await abortedOnArrival(lab, playThrough, broken + 1))) broken++;
    const { play: fewest, lost } = lab.fewest ?? { play: 6, lost: 5 };
    expect(broken).toBeGreaterThanOrEqual(fewest);
    // And in the looks after an answer that was lost.
    lab.misbehave('submit', 'reset');
    for (let request = 2; request <= lost; request++)
      expect(await abortedOnArrival(lab, playThrough, request)).toBe(true);
  });

  test('ends with the reason of its signal between two looks at a job', async () => {
    const lab = await setUp();
    lab.nextJobs('stuck');
    const job = await submit(lab);
    const controller = new AbortController();
    const reason = new Error('enough');
    const options = {
      signal: controller.signal,
      timeout: 5_000,
      onProgress: () => {
        controller.abort(reason);
      },
    };
    await expect(lab.backend.waitUntilReady(job, options)).rejects.toBe(reason);
    await nothingMore(lab);
  });

  finishedContract(play);
}
