import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DownloadClientConfig } from '../../../src/backends/download-client/index.ts';
import { checksText, firstFailure } from '../../../src/connections/check-texts.ts';
import { type DownloadClientLab, startLab } from './lab.ts';

const { signal } = new AbortController();
const HOUR = 3_600_000;

async function setUp(): Promise<DownloadClientLab> {
  const lab = await startLab();
  onTestFinished(() => lab.close());
  return lab;
}

/** Whatever plays the film has NZBGet download it. */
async function download(lab: DownloadClientLab, name: string): Promise<void> {
  const job = await lab.backend.submit(lab.film.nzb, name, lab.film.request, signal);
  await lab.backend.waitUntilReady(job, { signal, timeout: 5_000, onProgress: () => undefined });
}

async function lastCheck(lab: DownloadClientLab, own: Partial<DownloadClientConfig> = {}) {
  return (await lab.backendWith(own).test(signal)).at(-1);
}

/** As if it had been finished so long ago. */
function age(lab: DownloadClientLab, milliseconds: number): void {
  for (const entry of lab.nzbget.jobs.history)
    entry.end = { ...entry.end!, at: entry.end!.at - milliseconds };
}

/** As Sonarr or Radarr orders it. */
function orderedByOthers(lab: DownloadClientLab): void {
  for (const entry of lab.nzbget.jobs.history) Object.assign(entry, { dupeKey: 'imdb-tt1727587' });
}

describe('the folder of finished downloads', () => {
  it('is proven by any of the last ten downloads that lies in it', async () => {
    const lab = await setUp();
    await download(lab, 'Sintel-0a1b2c3d');
    expect(await lastCheck(lab)).toMatchObject({ found: 'Sintel-0a1b2c3d is there' });
    const { history } = lab.nzbget.jobs;
    for (let n = 1; n < 10; n++) history.unshift({ ...history.at(-1)!, id: 100 + n, name: `Gone-${n}` });
    expect(await lastCheck(lab)).toMatchObject({ found: 'Sintel-0a1b2c3d is there' });
    history.unshift({ ...history.at(-1)!, id: 110, name: 'Gone-10', dupeKey: '' });
    age(lab, 2 * HOUR);
    history.at(-1)!.end = { ...history.at(-1)!.end!, at: 0 };
    expect(await lastCheck(lab)).toHaveProperty('unproven');
  });

  it('is wrong when what was finished for us within the hour is not there', async () => {
    const lab = await setUp();
    await download(lab, 'Sintel-0a1b2c3d');
    const parent = dirname(lab.nzbget.folder);
    const check = await lastCheck(lab, { folder: parent });
    expect(check).toMatchObject({ setting: 'nzbget_folder', failure: { code: 'INVALID_REQUEST' } });
    expect(check?.failure?.explanation).toEqual({
      what: `NZBGet has finished Sintel-0a1b2c3d just now, and it is not in ${parent}.`,
      next: 'Enter how the folder that NZBGet calls /downloads/completed is opened from here.',
    });
    age(lab, HOUR - 30_000);
    expect((await lastCheck(lab, { folder: parent }))?.failure?.explanation.what).toContain('59 minutes ago');
  });

  it('is not proven yet by what others have ordered, by what is old, and by nothing at all', async () => {
    const lab = await setUp();
    const parent = dirname(lab.nzbget.folder);
    expect(await lastCheck(lab)).toMatchObject({
      unproven: expect.stringContaining('nothing yet') as string,
    });
    await download(lab, 'Sintel-0a1b2c3d');
    age(lab, HOUR + 1_000);
    const reason = 'the last download is not there: moved or deleted, or it is another folder';
    expect(await lastCheck(lab, { folder: parent })).toEqual({
      what: 'What NZBGet has finished',
      unproven: reason,
    });
    age(lab, -HOUR);
    orderedByOthers(lab);
    const checks = await lab.backendWith({ folder: parent }).test(signal);
    expect(checks.at(-1)).toMatchObject({ unproven: reason });
    expect(firstFailure(checks)).toBeUndefined();
    expect(checksText(checks).text).toContain(`NOT PROVEN YET: What NZBGet has finished (${reason})`);
  });

  it('may hold one category while what is finished in another is lost', async () => {
    const lab = await setUp();
    await download(lab, 'Sintel-0a1b2c3d');
    lab.nzbget.faults.folders = { Series: '/series' };
    const { history } = lab.nzbget.jobs;
    await rename(join(lab.nzbget.folder, 'Movies'), join(lab.nzbget.folder, 'films'));
    const mappings = [
      { from: '/downloads/completed/Movies', to: lab.nzbget.folder },
      { from: '/downloads/completed', to: lab.nzbget.folder },
      { from: '/series', to: lab.nzbget.folder },
    ];
    history.unshift({ ...history[0]!, id: 99, category: 'films' });
    const check = await lastCheck(lab, { folder: '', mappings });
    expect(check?.failure?.explanation.what).toContain('has finished Sintel-0a1b2c3d');
    // None of the settings names that folder.
    expect(check).not.toHaveProperty('setting');
  });

  it('is judged by itself where there are several, and who is not proven is named', async () => {
    const lab = await setUp();
    await download(lab, 'Sintel-0a1b2c3d');
    lab.nzbget.faults.folders = { Series: '/series' };
    const mappings = [
      { from: '/downloads/completed', to: lab.nzbget.folder },
      { from: '/series', to: lab.nzbget.folder },
    ];
    expect(await lastCheck(lab, { folder: '', mappings })).toEqual({
      what: 'What NZBGet has finished',
      unproven: '/series: NZBGet has finished nothing yet that could be looked for',
    });
    const [job] = lab.nzbget.jobs.history;
    await mkdir(join(lab.nzbget.folder, 'Caminandes'));
    lab.nzbget.jobs.history.unshift({ ...job!, id: 98, name: 'Caminandes', category: 'Series' });
    expect(await lastCheck(lab, { folder: '', mappings })).toMatchObject({
      found: 'Sintel-0a1b2c3d is there; Caminandes is there',
    });
  });
});

describe('the own folder of NZBGet, on the same device', () => {
  async function here() {
    const root = await mkdtemp(join(tmpdir(), 'dest-dir-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const destDir = join(root, 'done');
    await mkdir(join(destDir, 'Movies'), { recursive: true });
    const lab = await setUp();
    return { root, destDir, lab };
  }

  it('proves what holds the same in the folders of its categories', async () => {
    const { root, destDir, lab } = await here();
    const folder = join(root, 'mounted');
    await symlink(destDir, folder);
    lab.nzbget.faults.folders = { Movies: join(destDir, 'Movies'), Series: join(destDir, 'Series') };
    const check = () => lastCheck(lab, { serverFolder: destDir, folder });
    expect(await check()).toHaveProperty('unproven');
    await writeFile(join(destDir, 'Movies', 'Caminandes.mkv'), '');
    expect(await check()).toMatchObject({ found: `it holds the same as ${destDir} on this device` });
  });

  it('is told to be another folder where it is', async () => {
    const { root, destDir, lab } = await here();
    lab.nzbget.faults.folders = { Movies: join(destDir, 'Movies'), Series: join(destDir, 'Series') };
    await writeFile(join(destDir, 'Movies', 'Caminandes.mkv'), '');
    expect(await lastCheck(lab, { serverFolder: destDir, folder: root })).toMatchObject({
      unproven: `NZBGet has finished nothing yet that could be looked for; the folder ${destDir} of this device, as NZBGet calls it, is another one than ${root}`,
    });
  });

  it('is told to be another one where what was just finished is not there', async () => {
    const { root, destDir, lab } = await here();
    await download(lab, 'Sintel-0a1b2c3d');
    lab.nzbget.faults.folders = { Movies: join(destDir, 'Movies'), Series: join(destDir, 'Series') };
    await writeFile(join(destDir, 'Movies', 'Caminandes.mkv'), '');
    const check = await lastCheck(lab, { serverFolder: destDir, folder: root });
    expect(check?.failure?.explanation.what).toBe(
      `NZBGet has finished Sintel-0a1b2c3d just now, and it is not in ${root}: the folder ${destDir} of this device, as NZBGet calls it, is another one than ${root}.`,
    );
  });
});
