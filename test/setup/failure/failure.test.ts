import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { openFailures, storeFailure } from '../../../src/library/index.ts';
import { withRecentLines } from '../../../src/log/index.ts';
import { memoryLog } from '../../support/log.ts';
import { LeakDetector } from '../../support/secret-leaks.ts';
import { act, KEYS, type Stage, stage } from '../stage.ts';

const away = (detail = 'ECONNREFUSED') =>
  new SlipstreamError(
    'UNREACHABLE',
    { what: 'nzbdav did not answer.', next: 'Start it.' },
    { detail, cause: new Error('connect ECONNREFUSED') },
  );

async function failed({ host, log }: Stage, error = away(), lines: string[] = []) {
  await storeFailure(error, { folder: host.dataFolder, log, title: 'Sintel (2010)', lines });
}

async function setUp(): Promise<Stage> {
  const staged = await stage();
  Object.assign(staged.host.settings, staged.sandbox.settings);
  return staged;
}

describe('what failed last', () => {
  test('is told in full', async () => {
    const staged = await stage();
    await failed(staged, away(), ['info: searching Sandbox']);
    await act('failure', staged, async (person) => {
      const { text } = await person.goOn();
      for (const part of [
        'Sintel (2010)',
        'nzbdav did not answer.\nStart it.',
        'UNREACHABLE',
        'connect ECONNREFUSED',
        'info: searching Sandbox',
      ])
        expect(text).toContain(part);
    });
  });

  test('comes with what is wrong with the connection now, which is mended from there', async () => {
    const staged = await setUp();
    staged.host.settings['webdav_api_key'] = 'wrong-key';
    await failed(staged, new SlipstreamError('AUTH_FAILED', { what: 'nzbdav refused the key.', next: '' }));
    await act('failure', staged, async (person) => {
      expect((await person.waitFor('choice')).rows.map(({ label }) => label)).toEqual([
        'Mend nzbdav',
        'Read all of it',
        'Close',
      ]);
      await person.choose('mend');
      const { text } = await person.waitFor('yes-no');
      expect(text.match(/key/g)).toHaveLength(2);
      // The person is asked for the key here, and not sent to where it is stored; the service's own pages are.
      expect(text).not.toMatch(/settings of Slipstream|in the settings/);
      await person.confirm(true);
      await person.write(KEYS.apiKey);
      expect((await person.goOn()).title).toBe('nzbdav works');
    });
  });

  test('is read or closed, and asks nothing after that', async () => {
    const staged = await setUp();
    staged.host.settings['webdav_api_key'] = 'wrong-key';
    await failed(staged, new SlipstreamError('AUTH_FAILED', { what: 'nzbdav refused the key.', next: '' }));
    await act('failure', staged, (person) => person.choose('close'));
    await act('failure', staged, async (person) => {
      await person.choose('read');
      expect((await person.goOn()).text).toContain('Right now: ');
    });
  });

  test('is one of ten, the latest first', async () => {
    const staged = await stage();
    for (let count = 0; count < 12; count++)
      await failed(staged, new SlipstreamError('NO_RESULTS', { what: `Failure ${count}`, next: '' }));
    const kept = (await openFailures(staged.host.dataFolder).read()) ?? [];
    expect(kept.map(({ what }) => what)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Failure ${11 - index}`),
    );
  });

  test('is nothing, where nothing has failed or what is kept is damaged', async () => {
    const staged = await stage();
    writeFileSync(join(staged.host.dataFolder, 'failures.json'), '{"version":1,"value":[{}]}');
    await act('failure', staged, async (person) => {
      expect((await person.goOn()).title).toBe('Nothing has failed');
    });
  });
});

test('the log that is remembered has its last lines only, and passes all on', () => {
  const log = memoryLog();
  const { log: remembered, lines } = withRecentLines(log);
  for (let count = 0; count < 100; count++) remembered.info(`line ${count}`);
  remembered.error('failed', new Error('why'));
  expect(log.lines).toHaveLength(101);
  expect(log.lines.at(-1)).toContain('why');
  expect(lines.length).toBeLessThan(100);
  expect(lines.slice(-2)).toEqual(['info: line 99', 'error: failed']);
});

describe('the report', () => {
  const pathOf = ({ host }: Stage) => join(host.dataFolder, 'slipstream-report.txt');

  /** Everything that the person has entered, with secrets wherever one can be. */
  async function full(): Promise<Stage> {
    const staged = await setUp();
    const { host } = staged;
    Object.assign(host.settings, {
      hydra_url: `http://admin:${encodeURIComponent(KEYS.password)}@hydra.example:5076/?apikey=${encodeURIComponent(KEYS.apiKey)}`,
      stremio_url: `https://addon.example/${encodeURIComponent(KEYS.indexerKey)}/manifest.json`,
      nzbget_url: 'http://192.168.1.23:6789',
      nzbget_username: 'somebody',
      nzbget_password: KEYS.password,
      nzbget_folder: `smb://somebody:${encodeURIComponent(KEYS.password)}@nas.example/done`,
      tmdb_api_key: KEYS.apiKey,
    });
    const value = [
      {
        kind: 'newznab',
        name: 'Mine',
        url: `https://indexer.example/api?apikey=${encodeURIComponent(KEYS.apiKey)}`,
        apiKey: KEYS.indexerKey,
      },
      {
        kind: 'stremio',
        name: 'Add-on',
        url: `https://addon.example/${encodeURIComponent(KEYS.indexerKey)}/manifest.json`,
      },
      { kind: 'newznab', name: 7, url: KEYS.indexerKey },
    ];
    writeFileSync(join(host.dataFolder, 'sources.json'), JSON.stringify({ version: 1, value }));
    const mappings = [{ from: '/d', to: `smb://me:${encodeURIComponent(KEYS.password)}@nas.example/d` }];
    writeFileSync(
      join(host.dataFolder, 'path-mappings.json'),
      JSON.stringify({ version: 1, value: mappings }),
    );
    // Whoever reads settings registers what is secret in them, as every play does before it can fail.
    await act({ action: 'settings' }, staged, () => Promise.resolve());
    return staged;
  }

  test('holds no secret, no address and no user, in whatever they stand', async () => {
    const staged = await full();
    const { storedSettings } = await import('../../../src/setup/asking/stored-settings.ts');
    await storedSettings(staged.host);
    const echo = `key ${KEYS.indexerKey} at http://indexer.example/api?apikey=${encodeURIComponent(KEYS.apiKey)}, ${KEYS.password}, hydra.example, 192.168.1.23, connect ECONNREFUSED 192.168.1.77:80`;
    await failed(
      staged,
      new SlipstreamError(
        'SERVICE_ERROR',
        { what: echo, next: echo },
        { detail: echo, cause: new Error(echo) },
      ),
      [echo],
    );
    const evidence = new LeakDetector();
    await act('report', staged, async (person) => {
      evidence.add('shown', (await person.goOn()).text);
    });
    const text = readFileSync(pathOf(staged), 'utf8');
    evidence.add('file', text);
    evidence.add('failures', readFileSync(join(staged.host.dataFolder, 'failures.json'), 'utf8'));
    expect(evidence.leaks()).toEqual([]);
    for (const host of [
      'hydra.example',
      'addon.example',
      'indexer.example',
      'nas.example',
      '192.168.1.23',
      '192.168.1.77',
      'somebody',
    ])
      expect(text).not.toContain(host);
    expect(statSync(pathOf(staged)).mode & 0o777).toBe(0o600);
  });

  test('tells what a helper needs', async () => {
    const staged = await full();
    await failed(staged);
    await act('report', staged, async (person) => {
      expect((await person.goOn()).text).toContain(pathOf(staged));
    });
    const text = readFileSync(pathOf(staged), 'utf8');
    for (const line of [
      `Node.js ${process.version}`,
      'playback_backend: webdav',
      'webdav_api_key: entered',
      'prowlarr_url: empty',
      'hydra_url: http, port 5076, public',
      'nzbget_url: http, port 6789, local',
      'nzbget_folder: smb',
      'newznab, on, https, usual port, public, key entered',
      'nzbdav did not answer.',
    ])
      expect(text).toContain(line);
  });
});
