import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAioStreams } from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { SERVICES, serviceById } from '../../../src/connections/services/index.ts';
import { tmdbService } from '../../../src/connections/services/tmdb.ts';
import { settingRow } from '../../../src/setup/asking/stored-settings.ts';
import { type ServiceLab, startLab, WRONG } from '../../connections/labs.ts';
import { ENGINE_FILE } from '../../support/engine.ts';
import { serve } from '../../support/http-server.ts';
import { openPty } from '../../support/pty.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Answers, shellPerson } from '../first-run/shell-person.ts';
import { act, stage } from '../stage.ts';

const rowOf = (label: string) => (screen: string) =>
  new RegExp(`(\\d+)  ${label}\\b`).exec(screen)?.[1] ?? `no ${label}`;
/** Lines are broken where the screen ends. */
const asOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** `slipstream setup` with these settings, and the person who goes to its list of indexers and services. */
async function setUp(settings: ServiceLab['settings']) {
  const folder = temporaryFolder();
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings), { mode: 0o600 });
  const paths = ['--settings', file, '--data', join(folder, 'data')];
  const shell = openPty([process.execPath, ENGINE_FILE, 'setup', ...paths]);
  const person = shellPerson(shell);
  const list = ['Set up Slipstream', rowOf('Indexers and services')] as const;
  return {
    shell,
    answerUntil: (end: string, answers: Answers) => person.answerUntil(end, [list, ...answers]),
  };
}

/** What no set-up asks for, of any service: it can be wrong here alone. */
const UNASKED = SERVICES.flatMap(({ fields }) => fields)
  .filter(({ isNotAsked: isUnasked }) => isUnasked)
  .map(({ setting }) => [settingRow(setting).label, setting] as const);

test.each(UNASKED)('a wrong %s, without which films play, is told by the test', async (label, setting) => {
  const { settings } = await startLab('altmount');
  const { shell, answerUntil } = await setUp({ ...settings, playback_backend: 'direct', [setting]: WRONG });
  await answerUntil('WebDAV of AltMount (takes the user and password)', [
    ['AltMount works, but not all of it', ''],
    ['Indexers and services', rowOf('AltMount')],
    ['1  Test', '1', rowOf(label), '1'],
    [`\n${label}`, settings[setting]!],
  ]);
  expect(asOneLine(shell.text())).toContain(
    'NOT OK: The WebDAV of AltMount refused the user or password. Copy both from the settings of AltMount, WebDAV; ' +
      'the password is not the API key. Enter: go on:',
  );
});

/** What a person reads of an entry of the list while something is wrong with it. */
interface Entry {
  readonly kind: string;
  readonly lab: () => Promise<{ readonly url: string; readonly key?: string }>;
  readonly wrongUrl: (url: string) => string;
  readonly told: readonly RegExp[];
}

const withKey = (id: 'newznab' | 'hydra' | 'prowlarr') => async () => {
  const { url, settings, wrongKey } = await startLab(id);
  const [setting = ''] = Object.keys(wrongKey);
  return { url, key: settings[setting]! };
};
const overTls = (url: string) => url.replace('http:', 'https:');
const SPEAKS_NO_TLS = /does not speak HTTPS\. .*y: Use http:\/\/127\.0\.0\.1:\d+,/;

const ENTRIES: readonly Entry[] = [
  {
    kind: 'Indexer',
    lab: withKey('newznab'),
    wrongUrl: overTls,
    told: [SPEAKS_NO_TLS, /The indexer 127.* refused the API key\. .*Most likely: API key\. y: Change it/],
  },
  {
    kind: 'NZBHydra2',
    lab: withKey('hydra'),
    wrongUrl: overTls,
    told: [SPEAKS_NO_TLS, /NZBHydra2.* refused the API key\. .*Most likely: API key\. y: Change it/],
  },
  {
    kind: 'Prowlarr',
    lab: withKey('prowlarr'),
    wrongUrl: overTls,
    told: [SPEAKS_NO_TLS, /Prowlarr.* refused the API key\. .*Most likely: API key\. y: Change it/],
  },
  {
    kind: 'Stremio add-on',
    lab: async () => ({ url: (await startLab('stremio')).settings['stremio_url']! }),
    wrongUrl: (url) => url.replace(/.(\/manifest\.json)$/, '$1'),
    told: [/Copy the address of the add-on anew.*Most likely: Address\. y: Change it/],
  },
  {
    kind: 'Stremio add-on',
    lab: async () => {
      const aiostreams = await startAioStreams({ limits: 'off' });
      onTestFinished(() => aiostreams.close());
      return { url: aiostreams.addon };
    },
    wrongUrl: (url) => url.replace(/(\/stremio\/)./, '$16'),
    told: [/AIOStreams .*Copy it anew at http:\S+\/stremio\/configure.*Most likely: Address\. y: Change it/],
  },
];

test('each kind of the list is wrong in one of the entries', () => {
  const kinds = SERVICES.filter(({ role }) => role === 'search').map(({ name }) => name);
  expect(new Set(ENTRIES.map(({ kind }) => kind))).toEqual(new Set(kinds));
});

test.each(ENTRIES)('what is wrong with a further $kind is told and mended', async (entry) => {
  const { url, key } = await entry.lab();
  const { shell, answerUntil } = await setUp({
    indexer_url: 'http://127.0.0.1:1',
    indexer_api_key: 'unasked',
  });
  const told: string[] = [];
  const mended = () => {
    told.push(asOneLine(shell.text()));
    return 'y';
  };
  await answerUntil('Enter: go on: ', [
    ['Indexers and services', rowOf('Add')],
    ['What is to be added?', rowOf(entry.kind)],
    ['Which indexer?', rowOf('Another one')],
    ['does not work yet', mended],
    ['\nAddress', entry.wrongUrl(url), url],
    ['\nAPI key', WRONG, key ?? ''],
  ]);
  expect(told).toHaveLength(entry.told.length);
  for (const [at, words] of entry.told.entries()) expect(told[at]).toMatch(words);
  expect(shell.text()).not.toMatch(/canary/);
});

test('a wrong TMDb key is told, and asked for again', async () => {
  const key = 'canary-tmdb-5a0c';
  const url = await serve((request, response) => {
    const isRight = `${request.url} ${request.headers.authorization ?? ''}`.includes(key);
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: isRight, status_code: isRight ? 1 : 7 }));
  });
  const tmdb = vi.spyOn(serviceById('tmdb'), 'test').mockImplementation(tmdbService(url).test);
  onTestFinished(() => {
    tmdb.mockRestore();
  });
  const staged = await stage({ shell: [] });
  Object.assign(staged.host.settings, staged.sandbox.settings);
  await act('first-run', staged, async (person) => {
    await person.choose('change');
    await person.choose('add');
    await person.choose('tmdb');
    await person.write(WRONG);
    expect(await person.confirm(true)).toMatchObject({
      title: 'TMDb does not work yet',
      text:
        'TMDb refuses the key. Copy it again from themoviedb.org (Settings, API), or leave it empty.\n\n' +
        'Most likely: TMDb API key.',
    });
    await person.write(key);
    expect(await person.goOn()).toMatchObject({ title: 'TMDb works' });
    for (let steps = 0; steps < 2; steps++) await person.back();
  });
  expect(staged.host.settings).toMatchObject({ tmdb_api_key: key });
});
