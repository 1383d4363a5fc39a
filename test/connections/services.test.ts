import { expect, onTestFinished, test } from 'vitest';
import { startIndexer } from '../../sandbox/indexer/start.ts';
import {
  playingService,
  SERVICES,
  serviceById,
  servicesSetUp,
  testEntry,
} from '../../src/connections/services/index.ts';
import { parseSettings, SETTING_IDS, type SourceEntry } from '../../src/settings/index.ts';
import { replayed, reply } from '../search/sources/aiostreams/replay.ts';
import { testContext } from './labs.ts';

test('every service is there once, and asks for settings that there are', () => {
  expect(new Set(SERVICES.map(({ id }) => id)).size).toBe(SERVICES.length);
  for (const service of SERVICES) {
    expect(serviceById(service.id)).toBe(service);
    expect(service.fields.length).toBeGreaterThan(0);
    for (const { setting } of service.fields) expect(SETTING_IDS).toContain(setting);
  }
  const roles = SERVICES.map(({ role }) => role);
  expect(roles.toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))).toEqual(roles);
});

const ORDER = ['search', 'play', 'extra'];

test('a service that was chosen plays, and is the only one that does', () => {
  for (const { id, chosenBy } of SERVICES.filter(({ role }) => role === 'play')) {
    const addresses = { webdav_api_url: 'http://a', nzbget_url: 'http://b', direct_url: 'http://c' };
    const settings = parseSettings({ ...addresses, ...chosenBy });
    expect(playingService(settings)?.id).toBe(id);
  }
  expect(
    playingService(parseSettings({ playback_backend: 'nzbget', direct_url: 'http://c' })),
  ).toBeUndefined();
});

test('those are set up whose address is entered; of the direct ones, the chosen kind', () => {
  expect(servicesSetUp(parseSettings({}))).toEqual([]);
  const settings = parseSettings({
    hydra_url: 'http://a',
    webdav_api_url: 'http://b',
    direct_url: 'http://c',
    direct_kind: 'streamnzb',
    tmdb_api_key: 'x',
  });
  expect(servicesSetUp(settings).map(({ id }) => id)).toEqual(['hydra', 'webdav', 'streamnzb', 'tmdb']);
});

test('optional is only what may be empty', () => {
  const defaults = parseSettings({});
  const optional = SERVICES.flatMap(({ fields }) => fields).filter(({ isOptional }) => isOptional);
  expect(optional.length).toBeGreaterThan(0);
  for (const { setting } of optional) expect([setting, defaults[setting]]).toEqual([setting, '']);
});

test.each(SERVICES.filter(({ role }) => role !== 'extra'))(
  'an address that is none is told as such: $id',
  async ({ test: testService, fields: [address], chosenBy }) => {
    const id = address?.setting ?? '';
    const checks = await testService(parseSettings({ [id]: 'ftp://x', ...chosenBy }), await testContext());
    expect(checks).toMatchObject([{ setting: id, failure: { code: 'INVALID_REQUEST' } }]);
  },
);

test.each(SERVICES)(
  'a test that nobody wants any more is none: $id',
  async ({ test: testService, fields }) => {
    const reason = new Error('gone');
    const settings = parseSettings(
      Object.fromEntries(fields.map(({ setting }) => [setting, 'http://127.0.0.1:1'])),
    );
    const testing = testService(settings, await testContext(AbortSignal.abort(reason)));
    await expect(testing).rejects.toBe(reason);
  },
);

test('a source of the list is tested as one of the settings, without words of where it stands', async () => {
  const indexer = await startIndexer('newznab', { apiKey: 'right-key-1' });
  onTestFinished(() => indexer.close());
  const entry: SourceEntry = {
    kind: 'newznab',
    name: 'Listed',
    url: indexer.url,
    apiKey: 'right-key-1',
    enabled: false,
  };
  const good = await testEntry(entry, parseSettings({}), await testContext());
  expect(good.map(({ failure }) => failure)).toEqual(good.map(() => undefined));
  const wrong = (
    await testEntry({ ...entry, apiKey: 'wrong-key-2' }, parseSettings({}), await testContext())
  ).at(-1);
  expect(wrong?.setting).toBe('indexer_api_key');
  expect(wrong?.failure?.explanation.next).toContain('Enter the API key of Listed again.');
});

test('a test of an add-on in the list says what it is asked for with the backend that is set up', async () => {
  const service = await replayed({ search: reply('search-api', 'film') });
  const entry: SourceEntry = { kind: 'stremio', name: 'Home', url: service.url, apiKey: '', enabled: true };
  const found = async (settings: Record<string, string>) =>
    (await testEntry(entry, parseSettings(settings), await testContext())).find(({ what }) =>
      what.includes('search'),
    )?.found;
  expect(await found({})).toBe('1 streams of Big Buck Bunny, which it plays itself');
  expect(await found({ webdav_api_url: 'http://nzbdav.example' })).toBe(
    '1 NZBs of Big Buck Bunny, for your backend',
  );
});
