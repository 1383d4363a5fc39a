import { action, group, page, secret, shownOnceSet, test, text } from './schema.ts';

const SET_UP = group(30020, 'Set-up', [
  action(
    'first_run',
    30900,
    'Set up step by step',
    'Asks for what is needed, tries each part of it, and ends with a film that plays.',
    'first-run',
  ),
  action(
    'phone',
    30902,
    'Set up from a phone',
    'Shows a code for your phone. There, keys can be pasted, and services on the network are found.',
    'phone',
  ),
]);

const INDEXER = group(30021, 'Indexer', [
  text('indexer_name', 30100, 'Indexer name', 'How the indexer is called in lists and messages.', 'Indexer'),
  text('indexer_url', 30102, 'Indexer address', 'Its Newznab address, with or without /api at the end.'),
  shownOnceSet(
    'indexer_url',
    secret('indexer_api_key', 30104, 'Indexer API key', 'The key from your indexer profile page.'),
  ),
  shownOnceSet(
    'indexer_url',
    test('newznab', 30904, 'Asks the indexer whether the address and the key are right.'),
  ),
  action(
    'indexers',
    30906,
    'More indexers',
    'Any number of further indexers, known ones by name.',
    'indexers',
  ),
]);

const HYDRA = group(30022, 'NZBHydra2', [
  text(
    'hydra_url',
    30120,
    'NZBHydra2 address',
    'For example http://192.168.1.10:5076. Empty: it is not asked.',
  ),
  shownOnceSet(
    'hydra_url',
    secret('hydra_api_key', 30122, 'NZBHydra2 API key', 'From NZBHydra2, Config, Main, Security.'),
  ),
  shownOnceSet(
    'hydra_url',
    test('hydra', 30908, 'Asks NZBHydra2 whether the address and the key are right.'),
  ),
]);

const PROWLARR = group(30023, 'Prowlarr', [
  text(
    'prowlarr_url',
    30124,
    'Prowlarr address',
    'For example http://192.168.1.10:9696. Empty: it is not asked.',
  ),
  shownOnceSet(
    'prowlarr_url',
    secret('prowlarr_api_key', 30126, 'Prowlarr API key', 'From Prowlarr, Settings, General, Security.'),
  ),
  shownOnceSet(
    'prowlarr_url',
    test('prowlarr', 30910, 'Asks Prowlarr whether the address and the key are right.'),
  ),
]);

const STREMIO = group(30024, 'Stremio add-on', [
  secret(
    'stremio_url',
    30130,
    'Stremio add-on',
    'The address of its manifest, which holds your key. It lists streams of your usenet service.',
  ),
  shownOnceSet('stremio_url', test('stremio', 30912, 'Asks the add-on whether it lists streams.')),
]);

const TMDB = group(30025, 'TMDb', [
  secret(
    'tmdb_api_key',
    30128,
    'TMDb API key',
    'Optional. Finds running times, ids and further titles that the request does not tell.',
  ),
  shownOnceSet('tmdb_api_key', test('tmdb', 30914, 'Asks TMDb whether the key is right.')),
]);

export const CONNECTION = page('connection', 30001, 'Connection', [
  SET_UP,
  INDEXER,
  HYDRA,
  PROWLARR,
  STREMIO,
  TMDB,
]);
