import { searchService } from './of-source.ts';

export const STREMIO = searchService({
  id: 'stremio',
  name: 'Stremio add-on',
  help: 'Such as UsenetStreamer or AIOStreams: lists streams of a usenet service, which need no backend.',
  address: 'stremio_url',
  fields: [{ setting: 'stremio_url' }],
  usualPorts: [],
});
