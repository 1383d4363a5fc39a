import { fetchProwlarrKey } from './prowlarr-key.ts';
import { searchService } from './search-service.ts';

export const PROWLARR = searchService({
  id: 'prowlarr',
  name: 'Prowlarr',
  help: 'A server of your own that manages your indexers and searches them.',
  address: 'prowlarr_url',
  fields: [{ setting: 'prowlarr_url' }, { setting: 'prowlarr_api_key' }],
  usualPorts: [9696],
  usualPaths: ['/prowlarr'],
  offeredKey: {
    setting: 'prowlarr_api_key',
    fetch: ({ prowlarr_url }, signal) => fetchProwlarrKey(prowlarr_url, signal),
  },
});
