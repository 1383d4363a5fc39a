import { expect, test } from 'vitest';
import { type BackendPlay, type BackendUnderTest, canEndAs, MISBEHAVIOURS } from './backend-play.ts';

/** What every Backend promises of what is finished, of reading it, and of its connection test. */
export function finishedContract(play: BackendPlay): void {
  const { setUp, live, submit, finish, failureOf, abortedOnArrival } = play;
  const listed = (lab: BackendUnderTest) => lab.backend.finishedJobs(live());

  test('lists what is finished, the newest first, and finds the files of what it lists', async () => {
    const lab = await setUp();
    expect(await listed(lab)).toEqual([]);
    const pack = await finish(lab, lab.withoutPacks ? lab.film : lab.pack);
    const film = await finish(lab);
    lab.nextJobs('fails');
    await failureOf(lab, finish(lab));
    lab.nextJobs('stuck');
    await submit(lab);
    const jobs = await listed(lab);
    expect(lab.backend.hasNoJobList).toBe(lab.keepsNoList);
    if (lab.keepsNoList) {
      expect(jobs).toEqual([]);
      return;
    }
    expect(jobs.map(({ id, name, category }) => ({ id, name, category }))).toEqual(
      [film, pack].map(({ id, name, category }) => ({ id, name, category })),
    );
    expect(jobs.every(({ size = 1, finished = 1 }) => size > 0 && finished <= Date.now())).toBe(true);
    const { file } = await lab.backend.locate(jobs[1]!, lab.pack.request, live());
    expect(file.name).toBe(lab.pack.fileName);
  });

  test.each(MISBEHAVIOURS)('lists, or ends with an error: %s', async (how) => {
    const lab = await setUp();
    if (lab.keepsNoList) return;
    lab.misbehave('wait', how);
    await failureOf(lab, listed(lab));
  });

  test('gives an inventory with the file that it chose, all of one job', async () => {
    const lab = await setUp();
    const wanted = lab.withoutPacks ? lab.film : lab.pack;
    const { file, files } = await lab.backend.locate(await finish(lab, wanted), wanted.request, live());
    if (lab.namesOne !== true) expect(files.length).toBeGreaterThan(1);
    expect(files.filter(({ path }) => path.at(-1) === file.name)).toHaveLength(1);
  });

  const located = async (lab: BackendUnderTest) =>
    (await lab.backend.locate(await finish(lab), lab.film.request, live())).file;

  test('reads any piece of a file, and at its end what is left', async () => {
    const lab = await setUp();
    const file = await located(lab);
    const size = file.size!;
    const read = async (from: number, length: number) =>
      Buffer.from(await lab.backend.read(file, { from, length }, live()));
    const middle = Math.floor(size / 2);
    const bytes = await read(middle, 64 * 1024);
    expect(bytes).toHaveLength(64 * 1024);
    expect((await read(middle + 1000, 10)).equals(bytes.subarray(1000, 1010))).toBe(true);
    expect(await read(0, 16)).toHaveLength(16);
    expect(await read(size - 10, 10)).toHaveLength(10);
    expect(await read(size - 10, 100)).toHaveLength(10);
  });

  test('says that a file is damaged where it cannot be read', async () => {
    const lab = await setUp();
    if (!canEndAs(lab, 'damaged')) return;
    lab.nextJobs('damaged');
    const file = await located(lab);
    const range = { from: Math.floor(file.size! / 2), length: 64 * 1024 };
    expect((await failureOf(lab, lab.backend.read(file, range, live()))).code).toBe('DAMAGED');
  });

  test('does not call a file damaged because its server is away', async () => {
    const lab = await setUp();
    const file = await located(lab);
    await lab.shut();
    const { code } = await failureOf(lab, lab.backend.read(file, { from: 0, length: 10 }, live()));
    expect(['UNREACHABLE', 'TIMEOUT', 'SERVICE_ERROR']).toContain(code);
  });

  test('reads nothing when its signal has aborted before', async () => {
    const lab = await setUp();
    const file = await located(lab);
    const before = lab.requests();
    const reason = new Error('enough');
    const outcome = lab.backend.read(file, { from: 0, length: 10 }, AbortSignal.abort(reason));
    await expect(outcome).rejects.toBe(reason);
    expect(lab.requests()).toBe(before);
  });

  test('finds nothing to complain about where all is well', async () => {
    const lab = await setUp();
    const checks = await lab.backend.test(live());
    expect(checks.length).toBeGreaterThan(1);
    expect(checks.map(({ failure }) => failure)).toEqual(checks.map(() => undefined));
    for (const secret of lab.secrets) expect(JSON.stringify(checks)).not.toContain(secret);
    // It leaves nothing behind.
    expect(lab.jobs()).toEqual([]);
  });

  test('says which setting is likely wrong when nothing answers', async () => {
    const lab = await setUp();
    await lab.shut();
    const last = (await lab.backend.test(live())).at(-1);
    expect(last?.setting).toMatch(/^\w+$/);
    expect((await failureOf(lab, Promise.reject(last?.failure as Error))).code).toBe('UNREACHABLE');
  });

  test('ends a connection test with the reason of its signal', async () => {
    const lab = await setUp();
    const reason = new Error('enough');
    await expect(lab.backend.test(AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await abortedOnArrival(lab, (signal) => lab.backend.test(signal), 1)).toBe(true);
    expect(await abortedOnArrival(lab, (signal) => lab.backend.test(signal), 2)).toBe(true);
  });
}
