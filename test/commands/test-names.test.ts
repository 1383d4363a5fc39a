import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { runTestCommand } from '../../src/commands/test.ts';
import { editListedSources, listedSource, type SourceEntry } from '../../src/settings/index.ts';
import { startLab } from '../connections/labs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Nobody listens at the addresses: the test tells what it has tried all the same. */
const NOWHERE = 'http://127.0.0.1:1';
const DIRECT = { playback_backend: 'direct', direct_url: NOWHERE, direct_api_key: 'a-key' };

/** What `slipstream test <name>` writes first: the service that it has taken the name for. */
async function tested(
  name: string,
  settings: Readonly<Record<string, string>> = {},
  listed: readonly SourceEntry[] = [],
) {
  const folder = temporaryFolder();
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings), { mode: 0o600 });
  const data = join(folder, 'data');
  await editListedSources(data, () => listed.map((entry) => listedSource(entry)));
  const written: string[] = [];
  const keep = (text: string | Uint8Array) => {
    written.push(String(text));
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(keep),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const status = await runTestCommand([name, '--settings', file, '--data', data]);
  return { status, text: written.join(''), places: `--settings ${file} --data ${data}` };
}

test.each([
  ['nzbdav', 'nzbdav'],
  ['InfiniDysk', 'nzbdav'],
  ['sabnzbd', 'nzbdav'],
  ['webdav', 'nzbdav'],
  ['nzbget', 'NZBGet'],
  ['prowlarr', 'Prowlarr'],
  ['nzbhydra2', 'NZBHydra2'],
  ['NZBHydra 2', 'NZBHydra2'],
  ['hydra', 'NZBHydra2'],
  ['aiostreams', 'Stremio add-on'],
  ['usenetstreamer', 'Stremio add-on'],
  ['newznab', 'Indexer'],
  ['indexer', 'Indexer'],
])('"%s" is understood as %s', async (name, service) => {
  expect((await tested(name)).text).toMatch(new RegExp(`^${service}\n`));
});

test.each([
  ['AltMount', { ...DIRECT, direct_kind: 'altmount' }, 'AltMount'],
  ['altmount', { webdav_api_url: NOWHERE, webdav_api_key: 'a-key' }, 'nzbdav'],
  ['streamnzb', { ...DIRECT, direct_kind: 'streamnzb' }, 'StreamNZB'],
  ['streamnzb', { stremio_url: `${NOWHERE}/manifest.json` }, 'Stremio add-on'],
])('"%s" is what it is set up as: %j', async (name, settings, service) => {
  expect((await tested(name, settings)).text).toMatch(new RegExp(`^${service}\n`));
});

const entry = (name: string, more: Partial<SourceEntry> = {}): SourceEntry => ({
  kind: 'prowlarr',
  name,
  url: NOWHERE,
  apiKey: 'a-key',
  enabled: true,
  ...more,
});

test.each([
  ['of the list where the settings have none', {}, [entry('Of the list')], ['Of the list']],
  [
    'of the settings and of the list',
    { prowlarr_url: NOWHERE, prowlarr_api_key: 'a-key' },
    [entry('Of the list'), entry('Hydra', { kind: 'hydra' }), entry('Off', { enabled: false })],
    ['Prowlarr', 'Of the list'],
  ],
])('Prowlarr is that %s', async (_which, settings, listed, names) => {
  const { text } = await tested('prowlarr', settings, listed);
  const blocks = text.split('\n\n').filter((block) => /^NOT OK|\nNOT OK/.test(block));
  expect(blocks.map((block) => block.split('\n')[0])).toEqual(names);
});

test('what does not work can be changed, and how is said with the files that were given', async () => {
  const { status, text, places } = await tested('prowlarr', { prowlarr_url: NOWHERE });
  expect(status).toBe(1);
  // Whatever stands in the way of a line's end.
  expect(text.replace(/\s+/g, ' ')).toContain(`To change what is set up: "slipstream setup ${places}".`);
  expect(text).not.toMatch(/settings of Slipstream|in the settings/);
});

test('what is not proven yet has not failed', async () => {
  const { settings } = await startLab('nzbget');
  const { status, text } = await tested('nzbget', settings);
  expect(text).toContain('NOT PROVEN YET: What NZBGet has finished');
  expect(text).not.toContain('NOT OK');
  expect(status).toBe(0);
});

test('a TMDb key that is not entered is not called refused', async () => {
  const { text } = await tested('tmdb');
  expect(text).toContain('TMDb API key is not entered yet.');
  expect(text).not.toMatch(/refuse/);
});

test('a name that nobody knows is no service, and all that are known are told', async () => {
  const { status, text } = await tested('plex');
  expect(status).toBe(2);
  expect(text).toMatch(/Name one of Indexer, NZBHydra2, NZBHydra, Prowlarr, AIOStreams, .*nzbdav.*TMDb\./);
});
