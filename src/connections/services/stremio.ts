import { searchService } from './search-service.ts';

export const STREMIO = searchService({
  id: 'stremio',
  name: 'Stremio add-on',
  products: ['AIOStreams', 'StreamNZB', 'UsenetStreamer', 'Stremio'],
  help: 'Such as AIOStreams, StreamNZB or UsenetStreamer: lists streams of a usenet service, which need no backend.',
  address: 'stremio_url',
  fields: [{ setting: 'stremio_url' }],
  // AIOStreams.
  usualPorts: [3000],
});
