import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startDirectStream } from '../../sandbox/direct-stream/index.ts';
import { whenQuery } from '../../sandbox/index.ts';
import { type Pipeline, pipeline } from './set-up.ts';

const COSMOS = '?type=movie&title=Cosmos+Laundromat&year=2015&imdb=tt4957236&tmdb=358332';
const PASSWORD = 'nobody knows';
const KEY = 'canary-direct-7f10b2';

/** From now on the indexer lists the one post that is encrypted with its password in its name. */
async function listsPassword({ sandbox }: Pipeline, password: string): Promise<void> {
  const { url, apiKey } = sandbox.indexer;
  const answer = await fetch(`${url}/api?t=movie&imdbid=4957236&apikey=${apiKey}`);
  const body = (await answer.text()).replaceAll('-CIPHER<', `-CIPHER{{${password}}}<`);
  expect(body).toContain(password);
  sandbox.faults.indexer.push({ kind: 'body', body, type: 'application/xml', when: whenQuery('t', 'movie') });
}

/** With which the film begins, in place of noise. */
const MATROSKA = '1a45dfa3';

/** The first bytes of what is played, in hexadecimal digits. */
async function headOf({ host }: Pipeline): Promise<string> {
  const [url = ''] = host.resolved.map((item) => item?.stream.url ?? '');
  const response = await fetch(url, { headers: { range: 'bytes=0-3' } });
  return Buffer.from(await response.arrayBuffer()).toString('hex');
}

/** All that is kept on disk. */
async function kept(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return (await Promise.all(paths.map((path) => readFile(path, 'utf8')))).join('\n');
}

const settings = { required_words: 'CIPHER' };

test('a password in a release’s name opens the archive, and is not shown', async () => {
  const p = await pipeline({ settings });
  await listsPassword(p, PASSWORD);
  await p.resolve(COSMOS);
  expect(p.host.notified).toEqual([]);
  expect(p.host.resolved).toHaveLength(1);
  expect(await headOf(p)).toBe(MATROSKA);
  const [job] = p.sandbox.jobs();
  expect(job?.name).toMatch(/-CIPHER-[\da-f]{8}$/);
  expect(job?.file).toBe(`${job?.name}{{${PASSWORD}}}.nzb`);
  const shown = JSON.stringify([p.host.progress, p.host.notified, p.host.resolved]) + p.log.lines.join('\n');
  expect(shown).not.toContain(PASSWORD);
});

test('a job of that name is found again when its submission is not answered, and removed', async () => {
  const p = await pipeline({ settings });
  await listsPassword(p, PASSWORD);
  p.sandbox.faults.api.push({
    kind: 'answer-lost',
    how: 'reset',
    when: whenQuery('mode', 'addfile'),
    times: 1,
  });
  p.sandbox.faults.job = { kind: 'stuck', percent: 30 };
  const played = p.resolve(COSMOS);
  await expect.poll(() => p.host.progress.some(({ stage }) => stage.startsWith('Downloading'))).toBe(true);
  const ledger = await kept(join(p.host.dataFolder, 'ledger'));
  expect(ledger).toContain('-CIPHER-');
  expect(ledger).not.toContain(PASSWORD);
  p.host.cancel();
  await played;
  expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
  expect(p.sandbox.queueLength()).toBe(0);
});

test('a wrong one is told as that', async () => {
  const p = await pipeline({ settings });
  await listsPassword(p, 'wrong');
  await p.resolve(COSMOS);
  expect(p.host.notified[0]?.what).toBe('The password that came with the release does not open it.');
});

test('AltMount’s direct stream is opened by it: it stands in the NZB', async () => {
  const altMount = await startDirectStream('altmount', { apiKey: KEY, jobDuration: 40 });
  onTestFinished(() => altMount.close());
  const direct = { playback_backend: 'direct', direct_url: altMount.url, direct_api_key: KEY };
  const p = await pipeline({ settings: { ...settings, ...direct } });
  await listsPassword(p, PASSWORD);
  await p.resolve(COSMOS);
  expect(p.host.notified).toEqual([]);
  expect(await headOf(p)).toBe(MATROSKA);
  expect(altMount.jobs().map(({ name, file }) => [/-[\da-f]{8}$/.test(name), file])).toEqual([
    [true, `${altMount.jobs()[0]?.name}.nzb`],
  ]);
  expect(p.log.lines.join('\n')).not.toContain(PASSWORD);
});
