import { readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mkvClip } from '../../../sandbox/index.ts';
import type { Backend, FinishedJob, Nzb } from '../../../src/backends/backend.ts';
import {
  type DownloadClientConfig,
  downloadClientBackend,
} from '../../../src/backends/download-client/index.ts';
import { NZBGET_TIMINGS } from '../../../src/backends/download-client/timings.ts';
import { localFiles } from '../../../src/host/terminal/files.ts';
import { poll } from '../../../src/io/wait.ts';
import { type Job, type JobProgress, type MediaRequest, UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import { type Root, rootOrSkip } from '../../../tools/debian-root/index.ts';
import { memoryLog } from '../../support/log.ts';
import { par2Of, sevenZipOf } from '../../support/usenet/archives.ts';
import { type PostedFile, type PostOptions, post } from '../../support/usenet/poster.ts';
import { type NewsServer, startNewsServer } from './news-server.ts';
import { type Nzbget, startNzbget } from './nzbget.ts';

const root = await rootOrSkip('the download-client backend against a real NZBGet and a real INN');

const REQUEST: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: {} };

const clip = mkvClip({ name: 'Sintel.2010.1080p.mkv', seconds: 60, size: 1_500_000 });
const FILM: PostedFile = { name: clip.name, bytes: clip.read(0, clip.size) };
const NOTES: PostedFile = { name: 'Sintel.2010.1080p.nfo', bytes: Buffer.from('An open film.') };

/** A film of 30 blocks and 15 articles, so that an article is two blocks; a sixth of it can be made again. */
const ARTICLE = 100_000;
const recovery = (inside: Root) =>
  par2Of(inside, 'Sintel.2010.1080p', [FILM, NOTES], { blockSize: ARTICLE / 2, blocks: 5 });
const without =
  (...numbers: readonly number[]): NonNullable<PostOptions['omit']> =>
  ({ file, number }) =>
    file === FILM.name && numbers.includes(number);

/** Too few articles are left for anything. */
const DEAD = [1, 4, 7, 10, 13, 15];

describe.skipIf(!root)('the download-client backend, a real NZBGet and a real INN', () => {
  let news: NewsServer;
  let nzbget: Nzbget;
  let log: ReturnType<typeof memoryLog>;
  let backend: Backend;
  let names = 0;

  beforeAll(async () => {
    news = await startNewsServer(root!);
    nzbget = await startNzbget(root!, news.port);
  });
  afterAll(async () => {
    // Undefined when it did not start.
    await (nzbget as Nzbget | undefined)?.end();
    await (news as NewsServer | undefined)?.end();
  });
  beforeEach(() => {
    log = memoryLog();
    backend = backendWith();
  });

  const backendWith = (own: Partial<DownloadClientConfig> = {}) =>
    downloadClientBackend(
      {
        url: nzbget.url,
        username: nzbget.username,
        password: nzbget.password,
        movieCategory: 'Movies',
        tvCategory: 'Series',
        folder: nzbget.downloads,
        serverFolder: '',
        mappings: [],
        priority: 'very-high',
        backups: 0,
        ...own,
      },
      { files: localFiles, log },
      {
        ...NZBGET_TIMINGS,
        poll: { min: 20, max: 100 },
        lostReply: 20,
        recheck: 20,
        appear: 2_000,
        settle: 100,
      },
    );
  const live = () => new AbortController().signal;
  const newName = () => `Sintel (2010) дракон & 100% #${++names}-0a1b2c3d`;

  const submit = async (
    files: readonly PostedFile[],
    { password, ...options }: PostOptions & { readonly password?: string } = {},
  ): Promise<Job> => {
    const nzb = asNzb(await post(news.port, files, { articleSize: ARTICLE, ...options }));
    const release = { ...nzb.release, ...(password !== undefined && { password }) };
    return backend.submit({ ...nzb, release }, newName(), REQUEST, live());
  };
  const wait = async (job: Job, seen: JobProgress[] = []): Promise<FinishedJob> =>
    backend.waitUntilReady(job, {
      signal: live(),
      timeout: 60_000,
      onProgress: (progress) => seen.push(progress),
    });
  /** From the finished job to its bytes, and on to where nothing of it is left. */
  const playsAndGoes = async (job: FinishedJob) => {
    expect(await finishedNames(job)).toHaveLength(1);
    const { file } = await backend.locate(job, REQUEST, live());
    expect(file).toMatchObject({ via: 'player', name: FILM.name, size: FILM.bytes.length });
    const bytes = await backend.read(file, { from: 0, length: FILM.bytes.length + 1 }, live());
    expect(Buffer.from(bytes).equals(FILM.bytes)).toBe(true);
    const middle = await backend.read(file, { from: 700_001, length: 4096 }, live());
    expect(Buffer.from(middle).equals(FILM.bytes.subarray(700_001, 704_097))).toBe(true);
    await goes(job);
  };
  const goes = async (job: Pick<Job, 'name'>) => {
    expect(await backend.remove(job, live())).toBe('removed');
    expect(await namesOf('listgroups', job)).toEqual([]);
    expect(await namesOf('history', job)).toEqual([]);
    // NZBGet deletes files behind its answer.
    const look = async () => ((await filesOf(job)).length === 0 ? true : undefined);
    await poll(look, { signal: live(), interval: () => 20, deadline: 10_000 });
    expect(await filesOf(job)).toEqual([]);
  };
  const filesOf = async (job: Pick<Job, 'name'>) =>
    (await readdir(nzbget.folder, { recursive: true })).filter((path) => path.includes(job.name));
  /** Of the jobs there that are this one or its backups; in the history hidden ones as well. */
  const namesOf = async (list: 'listgroups' | 'history', { name }: Pick<Job, 'name'>) => {
    const jobs = (await nzbget.call(list, list === 'history' ? true : 0)) as {
      Name?: string;
      NZBName: string;
    }[];
    return jobs.map((job) => job.Name ?? job.NZBName).filter((each) => each.includes(name));
  };
  const finishedNames = async (job: Job) =>
    (await backend.finishedJobs(live())).map(({ name }) => name).filter((name) => name.startsWith(job.name));
  /** Nothing is loaded while it runs. */
  const paused = async <T>(task: () => Promise<T>): Promise<T> => {
    await nzbget.call('pausedownload');
    try {
      return await task();
    } finally {
      await nzbget.call('resumedownload');
    }
  };

  it('a plain file', async () => {
    const seen: JobProgress[] = [];
    const ready = await wait(await submit([FILM]), seen);
    expect(seen.at(-1)?.stage).toBe('ready');
    await playsAndGoes(ready);
    expect(log.lines.join('\n')).not.toContain(nzbget.password);
  });

  it('several files with par2 files', async () => {
    await playsAndGoes(await wait(await submit([FILM, NOTES, ...(await recovery(root!))])));
  });

  it('an archive in volumes, which NZBGet unpacks', async () => {
    const volumes = await sevenZipOf(root!, 'Sintel.2010.1080p', [FILM], 600_000);
    expect(volumes.map(({ name }) => name)).toHaveLength(3);
    await playsAndGoes(await wait(await submit(volumes)));
  });

  it('an encrypted archive, which opens by its password alone', async () => {
    const password = "o'pen & <sesame> %1 {дракон} /";
    const volumes = await sevenZipOf(root!, 'Sintel.2010.1080p', [FILM], 600_000, password);
    await playsAndGoes(await wait(await submit(volumes, { password })));
    const outcome = async (options: Parameters<typeof submit>[1]) =>
      (await wait(await submit(volumes, options)).catch((error: unknown) => error)) as Error;
    expect((await outcome({ password: 'another' })).message).toContain(
      'the password that came with it is wrong',
    );
    expect((await outcome({})).message).toContain('cannot be unpacked.');
    expect(log.lines.join('\n')).not.toContain('sesame');
  });

  it('a missing article, which par2 repairs', async () => {
    const files = [FILM, NOTES, ...(await recovery(root!))];
    const ready = await wait(await submit(files, { omit: without(7) }));
    const found = (await nzbget.call('history', false)) as { NZBID: number }[];
    expect(found.find(({ NZBID }) => String(NZBID) === ready.id)).toMatchObject({
      Status: 'SUCCESS/PAR',
      FailedArticles: 1,
    });
    await playsAndGoes(ready);
  });

  it('a post that is dead, and a backup that NZBGet takes in its place', async () => {
    const taker = backendWith({ backups: 1 });
    backend = taker;
    const job = await paused(async () => {
      const first = await submit([FILM], { omit: without(...DEAD) });
      const nzb = await post(news.port, [FILM], { articleSize: ARTICLE });
      expect(await taker.addBackups([asNzb(nzb)], first, live())).toBe(1);
      return first;
    });
    const ready = await wait(job);
    await taker.dropBackups?.(job, live());
    // Of the dead one no file is left, and no entry; what plays stays.
    const left = async () => [...(await namesOf('listgroups', job)), ...(await namesOf('history', job))];
    await expect.poll(left).toEqual([`${job.name}.backup-1`]);
    const files = async () => (await filesOf(job)).filter((path) => !path.includes('.backup-1'));
    await expect.poll(files).toEqual([]);
    await playsAndGoes(ready);
  });

  it.each([
    { what: 'more is missing than par2 can repair', missing: [1, 4, 7, 10], protect: true },
    { what: 'much is missing, and there is no par2', missing: DEAD, protect: false },
    // It is downloaded to its end, and NZBGet leaves a file of full length.
    { what: 'one article is missing, and there is no par2', missing: [3], protect: false },
  ])('fails when $what, and is removed', async ({ missing, protect }) => {
    const files = protect ? [FILM, NOTES, ...(await recovery(root!))] : [FILM];
    const job = await submit(files, { omit: without(...missing) });
    await expect(wait(job)).rejects.toMatchObject({
      code: 'JOB_FAILED',
      explanation: { what: expect.stringContaining('no longer complete') as string },
    });
    expect(await finishedNames(job)).toEqual([]);
    await goes(job);
  });

  it('is removed while it waits in the queue, and is absent then', async () => {
    await paused(async () => {
      const job = await submit([FILM]);
      expect(await namesOf('listgroups', job)).toHaveLength(1);
      await goes({ name: job.name });
      expect(await backend.remove(job, live())).toBe('absent');
    });
  });

  it('is removed while it downloads', async () => {
    // KB/s.
    await nzbget.call('rate', 200);
    try {
      const job = await submit([FILM], { articleSize: 20_000 });
      const enough = new AbortController();
      const onProgress = ({ stage, percent = 0 }: JobProgress) => {
        if (stage === 'downloading' && percent > 0) enough.abort(new Error('the test has seen enough'));
      };
      const waiting = backend.waitUntilReady(job, { signal: enough.signal, timeout: 60_000, onProgress });
      await expect(waiting).rejects.toThrow('enough');
      await goes(job);
    } finally {
      await nzbget.call('rate', 0);
    }
  });

  it('tests the connection: all is well, a wrong password, a folder that is not there', async () => {
    const failures = async (of: Backend) =>
      (await of.test(live())).flatMap(({ failure, setting }) => (failure ? [[failure.code, setting]] : []));
    expect(await failures(backend)).toEqual([]);
    expect(await failures(backendWith({ password: 'wrong' }))).toEqual([['AUTH_FAILED', 'nzbget_password']]);
    const elsewhere = backendWith({ folder: '/nowhere/at/all' });
    expect((await failures(elsewhere)).map(([, setting]) => setting)).toEqual(['nzbget_folder']);
    expect(log.lines.join('\n')).not.toContain(nzbget.password);
  });

  it('proves its folder by what has been finished: the folder above it opens as well, and is wrong', async () => {
    const last = async (folder: string) => (await backendWith({ folder }).test(live())).at(-1);
    expect(await last(nzbget.downloads)).toHaveProperty('unproven');
    expect((await last(dirname(nzbget.downloads)))?.unproven).toContain('is another one than');
    const ready = await wait(await submit([FILM]));
    expect(await last(nzbget.downloads)).toMatchObject({ found: `${ready.name} is there` });
    expect(await last(dirname(nzbget.downloads))).toMatchObject({
      setting: 'nzbget_folder',
      failure: { code: 'INVALID_REQUEST' },
    });
    // The same by another path, when the history is empty again.
    const mounted = join(nzbget.folder, 'mounted');
    await symlink(nzbget.downloads, mounted);
    expect(await last(mounted)).toMatchObject({ found: `${ready.name} is there` });
    await nzbget.call('editqueue', 'HistoryDelete', '', [Number(ready.id)]);
    expect((await last(mounted))?.found).toContain('holds the same as');
  });
});

function asNzb(text: string): Nzb {
  const name = 'Sintel.2010.1080p.BluRay.x264-EXAMPLE';
  const link = { url: 'http://127.0.0.1:1/', guid: name, indexer: 'Example', source: 'example' };
  return {
    bytes: new Uint8Array(Buffer.from(text)),
    release: { name, links: [link], size: clip.size, quality: { ...UNKNOWN_QUALITY, title: name } },
    fileCount: [...text.matchAll(/<file /g)].length,
    segmentCount: [...text.matchAll(/<segment /g)].length,
  };
}
