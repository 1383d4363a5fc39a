import { describe, expect, it, onTestFinished } from 'vitest';
import type { NzbgetOptions } from '../../../sandbox/nzbget/index.ts';
import type { DownloadClientConfig } from '../../../src/backends/download-client/index.ts';
import type { Check } from '../../../src/diagnosis/check.ts';
import { closedPort, serve } from '../../support/http-server.ts';
import { type DownloadClientLab, startLab } from './lab.ts';

const { signal } = new AbortController();

async function setUp(options?: NzbgetOptions): Promise<DownloadClientLab> {
  const lab = await startLab(options);
  onTestFinished(() => lab.close());
  return lab;
}

const test = (lab: DownloadClientLab, own: Partial<DownloadClientConfig>) =>
  lab.backendWith(own).test(signal);

/** What the last check says: its setting, its code, and all its words. */
function said(checks: readonly Check[]) {
  const last = checks.at(-1);
  const { what = '', next = '' } = last?.failure?.explanation ?? {};
  return [last?.setting, last?.failure?.code, `${last?.what}: ${what} ${next}`] as const;
}

describe('the connection test', () => {
  it('tells what it has found, step by step', async () => {
    const lab = await setUp();
    const extra = { from: '/downloads/other', to: lab.nzbget.folder };
    const checks = await test(lab, { mappings: [extra] });
    expect(checks.map(({ what, found, unproven }) => `${what}: ${found ?? unproven}`)).toEqual([
      'The address of NZBGet: NZBGet 24.8',
      'The rights of the user in NZBGet: 120 GB free',
      'The category for films: Movies',
      'The category for episodes: Series',
      'The folder as NZBGet calls it: /downloads/completed',
      `The folder of finished downloads: ${lab.nzbget.folder}, 0 entries`,
      `The folder for /downloads/other: ${lab.nzbget.folder}, 0 entries`,
      'The folders that NZBGet fills: /downloads/completed',
      'What NZBGet has finished: NZBGet has finished nothing yet that could be looked for',
    ]);
  });

  it('looks at the folders of the categories where they have their own', async () => {
    const lab = await setUp();
    lab.nzbget.faults.folders = { Movies: '/films', Series: '/series' };
    const [setting, code, words] = said(await test(lab, {}));
    expect([setting, code]).toEqual(['nzbget_server_folder', 'INVALID_REQUEST']);
    expect(words).toContain('/films');
    const to = lab.nzbget.folder;
    const mappings = ['/films', '/series'].map((from) => ({ from, to }));
    expect((await test(lab, { folder: '', mappings })).at(-2)?.found).toBe('/films, /series');
  });

  it('says when NZBGet is paused', async () => {
    const lab = await setUp();
    lab.nzbget.jobs.paused = true;
    expect((await test(lab, {}))[1]?.found).toBe('120 GB free, downloads are paused');
  });

  type Case = readonly [
    what: string,
    own: (lab: DownloadClientLab) => Partial<DownloadClientConfig> | Promise<Partial<DownloadClientConfig>>,
    setting: string | undefined,
    code: string,
    words: RegExp,
  ];
  it.each<Case>([
    ['a closed port', async () => ({ url: await closedPort() }), 'nzbget_url', 'UNREACHABLE', /port/],
    [
      'another server',
      async () => ({ url: await serve((_req, res) => res.end('<html>')) }),
      'nzbget_url',
      'BAD_ANSWER',
      /address/,
    ],
    ['a wrong password', () => ({ password: 'wrong' }), 'nzbget_password', 'AUTH_FAILED', /ControlPassword/],
    [
      'an account that may only add',
      ({ nzbget }) => nzbget.addOnly,
      'nzbget_username',
      'AUTH_FAILED',
      /may add/,
    ],
    [
      'an unknown category',
      () => ({ movieCategory: 'Films' }),
      'nzbget_movie_category',
      'INVALID_REQUEST',
      /"Films".*Movies, Series/,
    ],
    ['another one', () => ({ tvCategory: 'TV' }), 'nzbget_tv_category', 'INVALID_REQUEST', /"TV"/],
    [
      'a folder of NZBGet that is no full path',
      () => ({ serverFolder: 'completed' }),
      'nzbget_server_folder',
      'INVALID_REQUEST',
      /"completed"/,
    ],
    ['no folder', () => ({ folder: '' }), 'nzbget_folder', 'NOT_CONFIGURED', /folder of finished downloads/],
    [
      'a folder that is not there',
      ({ nzbget }) => ({ folder: `${nzbget.folder}/nowhere` }),
      'nzbget_folder',
      'INVALID_REQUEST',
      /The folder .*nowhere cannot be opened/,
    ],
    [
      'a password in the folder',
      () => ({ folder: 'smb://me:canary-99@nas/films' }),
      'nzbget_folder',
      'INVALID_REQUEST',
      /Kodi: Settings, File manager/,
    ],
    [
      'a file server that is away',
      async () => ({ folder: `smb://127.0.0.1:${new URL(await closedPort()).port}/films` }),
      'nzbget_folder',
      'UNREACHABLE',
      /smb:\/\/127\.0\.0\.1.*nothing listens there/,
    ],
    [
      'a further folder that is not there',
      () => ({ mappings: [{ from: '/downloads/series', to: '/no/such/folder' }] }),
      undefined,
      'INVALID_REQUEST',
      /The folder for \/downloads\/series: .*\/no\/such\/folder/,
    ],
    [
      'a further folder with a password',
      () => ({ mappings: [{ from: '/d', to: 'nfs://me:canary-98@nas/x' }] }),
      undefined,
      'INVALID_REQUEST',
      /user or password/,
    ],
    [
      'a folder of NZBGet that is not the one it fills',
      () => ({ serverFolder: '/downloads/other' }),
      'nzbget_server_folder',
      'INVALID_REQUEST',
      /\/downloads\/completed/,
    ],
  ])('names the one thing that is wrong: %s', async (_what, own, setting, code, words) => {
    const lab = await setUp();
    const checks = await test(lab, await own(lab));
    const [wrong, failed, text] = said(checks);
    expect([wrong, failed]).toEqual([setting, code]);
    expect(text).toMatch(words);
    expect(JSON.stringify(checks)).not.toContain('canary');
    expect(checks.slice(0, -1).every(({ failure }) => failure === undefined)).toBe(true);
  });

  it('cannot begin without an address', async () => {
    const lab = await setUp();
    expect(() => lab.backendWith({ url: 'nas' })).toThrow(/INVALID_REQUEST/);
  });

  it.each(['17.1', '13.2-testing-r1166', '0.8.0'])(
    'refuses a version that is too old: %s',
    async (version) => {
      const [setting, code, words] = said(await test(await setUp({ version }), {}));
      expect([setting, code]).toEqual(['nzbget_url', 'SERVICE_ERROR']);
      expect(words).toContain('too old');
    },
  );

  it.each(['18.1', '26.0', '25.4-testing', 'custom build'])('takes the version %s', async (version) => {
    expect((await test(await setUp({ version }), {}))[0]?.found).toBe(`NZBGet ${version}`);
  });

  it('does without categories', async () => {
    const checks = await test(await setUp(), { movieCategory: '', tvCategory: '' });
    expect(checks.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });
});
