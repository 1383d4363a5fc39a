import { searchService } from './search-service.ts';

export const NEWZNAB = searchService({
  id: 'newznab',
  name: 'Indexer',
  help: 'A site that lists what is on usenet, such as DrunkenSlug or NZBGeek. You need an account there.',
  address: 'indexer_url',
  fields: [{ setting: 'indexer_url' }, { setting: 'indexer_api_key' }, { setting: 'indexer_name' }],
  usualPorts: [],
});
