import { searchService } from './search-service.ts';

export const HYDRA = searchService({
  id: 'hydra',
  name: 'NZBHydra2',
  products: ['NZBHydra'],
  help: 'A server of your own that searches all of your indexers at once.',
  address: 'hydra_url',
  fields: [{ setting: 'hydra_url' }, { setting: 'hydra_api_key' }],
  usualPorts: [5076],
  usualPaths: ['/nzbhydra2', '/nzbhydra', '/hydra'],
});
