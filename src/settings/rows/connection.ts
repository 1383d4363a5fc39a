import { secret, text } from './kinds.ts';

export const CONNECTION = [
  text(
    'indexer_name',
    'connection',
    30100,
    'Indexer name',
    'How the indexer is called in lists and messages.',
    'Indexer',
  ),
  text(
    'indexer_url',
    'connection',
    30102,
    'Indexer address',
    'Address of a Newznab indexer, with or without /api at its end.',
  ),
  secret(
    'indexer_api_key',
    'connection',
    30104,
    'Indexer API key',
    'The key from your indexer profile page.',
  ),
  text(
    'hydra_url',
    'connection',
    30120,
    'NZBHydra2 address',
    'Address of NZBHydra2, for example http://192.168.1.10:5076. Empty: it is not asked.',
  ),
  secret(
    'hydra_api_key',
    'connection',
    30122,
    'NZBHydra2 API key',
    'From NZBHydra2, Config, Main, Security.',
  ),
  text(
    'prowlarr_url',
    'connection',
    30124,
    'Prowlarr address',
    'Address of Prowlarr, for example http://192.168.1.10:9696. Empty: it is not asked.',
  ),
  secret(
    'prowlarr_api_key',
    'connection',
    30126,
    'Prowlarr API key',
    'From Prowlarr, Settings, General, Security.',
  ),
  secret(
    'tmdb_api_key',
    'connection',
    30128,
    'TMDb API key',
    'Optional. Finds running times, ids and further titles that the request does not tell.',
  ),
  secret(
    'stremio_url',
    'connection',
    30130,
    'Stremio add-on',
    'Optional. Address of a Stremio add-on that lists streams of your usenet service. It holds your key.',
  ),
] as const;
