import { mkdir, rename, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FinishedJob } from '../../../src/backends/backend.ts';
import type { DownloadClientConfig } from '../../../src/backends/download-client/index.ts';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { noise } from '../../media/heads.ts';
import { FILM } from '../labs.ts';
import { type DownloadClientLab, QUICK, startLab } from './lab.ts';

const { signal } = new AbortController();
const NAME = 'Sintel.2010.1080p.WEB.x264-ISHTAR-0a1b2c3d';
const STORAGE = `/downloads/completed/Movies/${NAME}`;
const JOB: FinishedJob = { id: '7', name: NAME, category: 'Movies', storage: STORAGE };
/** It begins as Matroska does. */
const VIDEO = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), Buffer.alloc(99_996, 1)]);

async function setUp(): Promise<DownloadClientLab> {
  const lab = await startLab();
  onTestFinished(() => lab.close());
  return lab;
}

/** Puts files into the folder of the finished job. */
async function put(
  lab: DownloadClientLab,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const folder = join(lab.nzbget.folder, 'Movies', NAME);
  await mkdir(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

const locate = (lab: DownloadClientLab, own: Partial<DownloadClientConfig> = {}, job = JOB) =>
  lab.backendWith(own).locate(job, FILM, signal);

async function failureOf(outcome: Promise<unknown>): Promise<SlipstreamError> {
  const error: unknown = await outcome.catch((cause: unknown) => cause);
  if (!(error instanceof SlipstreamError)) throw new Error(`no failure: ${JSON.stringify(error)}`);
  return error;
}

describe('the video of a finished job', () => {
  it('is opened by the path that Kodi knows, with the subtitles beside it', async () => {
    const lab = await setUp();
    const folder = await put(lab, {
      'Sintel.mkv': VIDEO,
      'Subs/Sintel.en.srt': '1',
      'Sample/sample.mkv': VIDEO,
      '.hidden/other.mkv': VIDEO,
    });
    const { file, files } = await locate(lab);
    expect(file).toEqual({
      via: 'player',
      url: `${folder}/Sintel.mkv`,
      name: 'Sintel.mkv',
      size: VIDEO.length,
      subtitles: [{ url: `${folder}/Subs/Sintel.en.srt`, name: 'Sintel.en.srt' }],
    });
    expect(files.map(({ path }) => path.join('/')).sort()).toEqual([
      'Sample/sample.mkv',
      'Sintel.mkv',
      'Subs/Sintel.en.srt',
    ]);
  });

  it('is looked for no deeper than three levels', async () => {
    const lab = await setUp();
    await put(lab, { 'a/b/Sintel.mkv': VIDEO, 'a/b/c/Other.mkv': Buffer.alloc(200_000) });
    expect((await locate(lab)).file.name).toBe('Sintel.mkv');
  });

  it('may appear a moment later', async () => {
    const lab = await setUp();
    await put(lab, { 'Sintel.mkv': VIDEO });
    lab.share.hiddenFor = 5;
    expect((await locate(lab)).file.name).toBe('Sintel.mkv');
  });

  it('may get its name a moment later', async () => {
    const lab = await setUp();
    const folder = await put(lab, { 'Sintel.part': VIDEO });
    const naming = setTimeout(40).then(() => rename(join(folder, 'Sintel.part'), join(folder, 'Sintel.mkv')));
    const [{ file }] = await Promise.all([locate(lab), naming]);
    expect(file.name).toBe('Sintel.mkv');
  });

  it('counts only when it can be read', async () => {
    const lab = await setUp();
    await put(lab, { 'Sintel.mkv': VIDEO });
    lab.share.unreadable = true;
    const { code, explanation } = await failureOf(locate(lab));
    expect(code).toBe('SERVICE_ERROR');
    expect(explanation.what).toBe('The finished file is listed, but cannot be read.');
    expect(explanation.next).toMatch(/restart Kodi/);
  });

  it('counts as damaged when its beginning is missing', async () => {
    const lab = await setUp();
    await put(lab, { 'Sintel.mkv': VIDEO });
    lab.share.holes = { from: 0.01, to: 0.5 };
    expect((await failureOf(locate(lab))).code).toBe('DAMAGED');
  });

  it.each([
    [
      'a web page',
      '<!DOCTYPE html><title>Log in</title>',
      'BAD_ANSWER',
      'NZBGet sent a web page in the place of the video.',
    ],
    [
      'a playlist of anything',
      '#EXTM3U\nplugin://plugin.video.other/?run',
      'BAD_ANSWER',
      'NZBGet sent a playlist in the place of the video.',
    ],
    [
      'an archive',
      'Rar!\x1a\x07\x01\0',
      'BAD_ANSWER',
      'NZBGet sent a RAR archive in the place of the video.',
    ],
    ['noise', '', 'DAMAGED', 'The file is no video: it is encrypted, or damaged at its start.'],
  ])('is refused where it is %s under the name of one', async (_kind, start, code, what) => {
    const lab = await setUp();
    await put(lab, { 'Sintel.mkv': Buffer.concat([Buffer.from(start, 'latin1'), noise(18, 100_000)]) });
    expect(await failureOf(locate(lab))).toMatchObject({ code, explanation: { what } });
  });

  it('is refused where its first 60 KB are zeros in the place of what was lost', async () => {
    const lab = await setUp();
    await put(lab, { 'Sintel.mkv': Buffer.concat([Buffer.alloc(60_000), noise(18, 100_000)]) });
    expect((await failureOf(locate(lab))).code).toBe('DAMAGED');
  });

  it('is found by another rule where the folder is another one', async () => {
    const lab = await setUp();
    await put(lab, { 'Sintel.mkv': VIDEO });
    const mappings = [
      { from: 'D:\\Done', to: lab.nzbget.folder },
      { from: 'relative', to: '/nowhere' },
      { from: '/secret', to: 'smb://me:canary-3344@nas/x' },
    ];
    const { file } = await locate(
      lab,
      { mappings, folder: '' },
      { ...JOB, storage: `d:\\done\\Movies\\${NAME}` },
    );
    expect(file.name).toBe('Sintel.mkv');
    expect(lab.logged()).toMatch(/relative.*left out/s);
    expect(lab.logged()).not.toContain('canary');
    // Without the folder of the settings, NZBGet need not be asked for its own.
    expect(lab.calls('config')).toBe(0);
  });

  it('is not given up beforehand as long as any of the folders opens', async () => {
    const lab = await setUp();
    const mappings = [{ from: '/elsewhere', to: lab.nzbget.folder }];
    const nowhere = { folder: '/nowhere/at/all' };
    await lab.backendWith({ ...nowhere, mappings }).preflight?.(new AbortController().signal);
    const failure = await lab
      .backendWith(nowhere)
      .preflight?.(new AbortController().signal)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('is not guessed where no rule fits', async () => {
    const lab = await setUp();
    const { code, explanation } = await failureOf(locate(lab, {}, { ...JOB, storage: '/elsewhere/Sintel' }));
    expect(code).toBe('BAD_ANSWER');
    expect(explanation.what).toContain('/elsewhere/Sintel');
    expect(lab.share.touched).toEqual([]);
  });

  it.each([
    [{ folder: '' }, 'NOT_CONFIGURED'],
    [{ folder: 'smb://me:canary-1@nas/x' }, 'INVALID_REQUEST'],
    [{ folder: 'ftp://nas/x' }, 'INVALID_REQUEST'],
    [{ serverFolder: 'completed' }, 'INVALID_REQUEST'],
  ])('is not looked for with settings that cannot be used: %j', async (own, code) => {
    const lab = await setUp();
    expect((await failureOf(locate(lab, own))).code).toBe(code);
    expect(lab.share.touched).toEqual([]);
  });
});

describe('a file server that hangs', () => {
  it.each(['smb', 'nfs'])('never meets Kodi: %s', async (protocol) => {
    const lab = await setUp();
    const hanging = createServer((socket) => socket.on('error', () => undefined));
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void hanging.close());
    const folder = `${protocol}://127.0.0.1:${(hanging.address() as AddressInfo).port}/films`;
    const backend = () => lab.backendWith({ folder }, QUICK);
    const failure = await failureOf(backend().locate(JOB, FILM, signal));
    expect(failure.code).toBe('TIMEOUT');
    expect(failure.explanation.what).toContain(`${protocol}://127.0.0.1`);
    const url = `${folder}/Movies/${NAME}/Sintel.mkv`;
    const file = { via: 'player', url, name: 'Sintel.mkv' } as const;
    const read = backend().read(file, { from: 0, length: 10 }, signal);
    expect((await failureOf(read)).code).toBe('TIMEOUT');
    const checks = await backend().test(signal);
    expect(checks.at(-1)).toMatchObject({ setting: 'nzbget_folder', failure: { code: 'TIMEOUT' } });
    expect(lab.share.touched).toEqual([]);
  });
});

describe('reading', () => {
  it('goes in pieces that the media centre takes, and joins them', async () => {
    const lab = await setUp();
    const content = Buffer.from(Uint8Array.from({ length: 2_500_000 }, (_, i) => i % 251));
    const folder = await put(lab, { 'Sintel.mkv': content });
    const file = {
      via: 'player',
      url: `${folder}/Sintel.mkv`,
      name: 'Sintel.mkv',
      size: content.length,
    } as const;
    const bytes = await lab.backend.read(file, { from: 100, length: 2_400_000 }, signal);
    expect(Buffer.from(bytes).equals(content.subarray(100, 2_400_100))).toBe(true);
    expect(lab.share.touched).toHaveLength(3);
  });

  it('proves nothing against a file that does not open', async () => {
    const lab = await setUp();
    const file = { via: 'player', url: '/no/such/file.mkv', name: 'file.mkv', size: 10 } as const;
    const outcome = lab.backend.read(file, { from: 0, length: 10 }, signal);
    expect((await failureOf(outcome)).code).toBe('SERVICE_ERROR');
  });

  it('comes to an end when the media centre does not', async () => {
    const lab = await setUp();
    const folder = await put(lab, { 'Sintel.mkv': VIDEO });
    lab.misbehave('read', 'hang');
    const file = {
      via: 'player',
      url: `${folder}/Sintel.mkv`,
      name: 'Sintel.mkv',
      size: VIDEO.length,
    } as const;
    expect((await failureOf(lab.backend.read(file, { from: 0, length: 10 }, signal))).code).toBe('TIMEOUT');
  });
});
