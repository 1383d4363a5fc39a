import { expect, test } from 'vitest';
import { serviceById, testEntry } from '../../src/connections/services/index.ts';
import { tmdbService } from '../../src/connections/services/tmdb.ts';
import { parseSettings, type SourceEntry } from '../../src/settings/index.ts';
import { serve } from '../support/http-server.ts';
import { startLab, testContext } from './labs.ts';

test.each([
  ['newznab', 'indexer_api_key', 'Indexer API key'],
  ['hydra', 'hydra_api_key', 'NZBHydra2 API key'],
  ['prowlarr', 'prowlarr_api_key', 'Prowlarr API key'],
  ['webdav', 'webdav_api_key', 'nzbdav API key'],
  ['webdav', 'webdav_password', 'WebDAV password'],
  ['nzbget', 'nzbget_password', 'NZBGet password'],
] as const)('%s: what is not entered is not called refused: %s', async (id, setting, label) => {
  const lab = await startLab(id);
  const settings = parseSettings({ ...lab.settings, [setting]: '' });
  const check = (await serviceById(id).test(settings, await testContext())).at(-1);
  expect(check?.setting).toBe(setting);
  expect(check?.failure?.explanation.what).toBe(`${label} is not entered yet.`);
  expect(check?.failure?.explanation.next).not.toBe('');
});

test('TMDb is not asked about a key that is none', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked++;
    response.writeHead(401).end('{"status_code":7,"success":false}');
  });
  const told = async (key: string) => {
    const settings = parseSettings({ tmdb_api_key: key });
    const [check] = await tmdbService(url).test(settings, await testContext());
    return check?.failure?.explanation.what;
  };
  expect(await told('')).toBe('TMDb API key is not entered yet.');
  expect(asked).toBe(0);
  expect(await told('wrong')).toBe('TMDb refuses the key.');
  expect(asked).toBe(1);
});

test('a source of the list without a key neither', async () => {
  const lab = await startLab('newznab');
  const entry: SourceEntry = {
    kind: 'newznab',
    name: 'Listed',
    url: lab.settings['indexer_url'] ?? '',
    apiKey: '',
    enabled: true,
  };
  const check = (await testEntry(entry, parseSettings({}), await testContext())).at(-1);
  expect(check?.failure?.explanation.what).toBe('Indexer API key is not entered yet.');
});
