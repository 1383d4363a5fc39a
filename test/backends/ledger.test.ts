import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/backends/ledger.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NZBDAV = 'webdav http://127.0.0.1:3000';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-ledger-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Lets the entries of the ledger look as if another process had written them. */
async function rewrite(folder: string, change: Record<string, unknown>): Promise<void> {
  for (const file of await readdir(join(folder, 'ledger'))) {
    const path = join(folder, 'ledger', file);
    const { version, value } = JSON.parse(await readFile(path, 'utf8')) as { version: number; value: object };
    await writeFile(path, JSON.stringify({ version, value: { ...value, ...change } }));
  }
}

async function pidOfTheDead(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  return child.pid ?? 1;
}

describe('the ledger', () => {
  test('keeps quiet about a job whose process looks after it', async () => {
    const ledger = openLedger(await newFolder(), MINUTE);
    await ledger.enter('Sintel-1', 'movies', NZBDAV);
    expect(await ledger.abandoned()).toEqual([]);
  });

  test('tells of a job whose process is gone, with its id once there is one, until it is struck', async () => {
    const folder = await newFolder();
    const ledger = openLedger(folder, MINUTE);
    await ledger.enter('Sintel-1', 'movies', NZBDAV);
    await (await ledger.enter('Caminandes-2', 'tv', NZBDAV)).markSubmitted('id-2');
    await rewrite(folder, { pid: await pidOfTheDead() });
    const abandoned = await openLedger(folder, 0).abandoned();
    const jobs = abandoned.map(({ name, category, id }) => ({ name, category, id }));
    expect(jobs.sort((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: 'Caminandes-2', category: 'tv', id: 'id-2' },
      { name: 'Sintel-1', category: 'movies', id: undefined },
    ]);
    for (const job of abandoned) await job.removeFromLedger();
    expect(await ledger.abandoned()).toEqual([]);
    expect(await readdir(join(folder, 'ledger'))).toEqual([]);
  });

  test('tells of a job whose time is over, though a process of that number runs', async () => {
    const folder = await newFolder();
    const ledger = openLedger(folder, MINUTE);
    await ledger.enter('Sintel-1', 'movies', NZBDAV);
    await rewrite(folder, { expires: Date.now() - 1 });
    expect(await ledger.abandoned()).toHaveLength(1);
  });

  test.each([2 ** 31, 1e15, Number.MAX_SAFE_INTEGER])(
    'a number that no process can have is nobody: %d',
    async (pid) => {
      const folder = await newFolder();
      const ledger = openLedger(folder, MINUTE);
      await ledger.enter('Sintel-1', 'movies', NZBDAV);
      await rewrite(folder, { pid });
      expect(await ledger.abandoned()).toHaveLength(1);
    },
  );

  test('forgets a job that was handed over', async () => {
    const folder = await newFolder();
    const ledger = openLedger(folder, MINUTE);
    const entry = await ledger.enter('Sintel-1', 'movies', NZBDAV);
    await entry.markSubmitted('id-1');
    await entry.remove();
    await entry.remove();
    expect(await readdir(join(folder, 'ledger'))).toEqual([]);
  });

  test('removes what cannot be read, and still tells of the rest', async () => {
    const folder = await newFolder();
    const ledger = openLedger(folder, MINUTE);
    await ledger.enter('Sintel-1', 'movies', NZBDAV);
    await rewrite(folder, { expires: Date.now() - 1 });
    for (const [name, content] of Object.entries({ a: '{', b: '{"version":2,"value":{"pid":0}}', c: '' }))
      await writeFile(join(folder, 'ledger', `${name}.json`), content);
    expect((await ledger.abandoned()).map(({ name }) => name)).toEqual(['Sintel-1']);
    expect(await readdir(join(folder, 'ledger'))).toHaveLength(1);
  });

  test('tells of a job that its process gave up, though that still runs', async () => {
    const ledger = openLedger(await newFolder(), MINUTE);
    await (await ledger.enter('Sintel-1', 'movies', NZBDAV)).abandon();
    const entry = await ledger.enter('Caminandes-2', 'tv', NZBDAV);
    await entry.markSubmitted('id-2');
    await entry.abandon();
    const ids = (await ledger.abandoned()).map(({ name, id }) => [name, id]);
    expect(new Map(ids as [string, unknown][])).toEqual(
      new Map([
        ['Sintel-1', undefined],
        ['Caminandes-2', 'id-2'],
      ]),
    );
  });

  test('keeps which backend a job belongs to, and when it was entered', async () => {
    const ledger = openLedger(await newFolder(), MINUTE);
    const before = Date.now();
    await (await ledger.enter('Sintel-1', 'movies', NZBDAV)).abandon();
    const [job] = await ledger.abandoned();
    expect(job?.backend).toBe(NZBDAV);
    expect(job?.entered).toBeGreaterThanOrEqual(before);
    expect(job?.entered).toBeLessThanOrEqual(Date.now());
  });

  test('drops what nobody could remove within a week after its time was over', async () => {
    const folder = await newFolder();
    const ledger = openLedger(folder, MINUTE);
    await ledger.enter('Sintel-1', 'movies', NZBDAV);
    await rewrite(folder, { expires: Date.now() - 7 * DAY + MINUTE });
    expect(await ledger.abandoned()).toHaveLength(1);
    await rewrite(folder, { expires: Date.now() - 7 * DAY - MINUTE });
    expect(await ledger.abandoned()).toEqual([]);
    expect(await readdir(join(folder, 'ledger'))).toEqual([]);
  });

  test('is empty where there is none', async () => {
    expect(await openLedger(join(await newFolder(), 'nowhere'), MINUTE).abandoned()).toEqual([]);
  });
});
