import { searchService } from './of-source.ts';

export const STREMIO = searchService({
  id: 'stremio',
  name: 'Stremio add-on',
  help: 'An add-on such as UsenetStreamer or AIOStreams that lists streams of a usenet service. They play without anything else.',
  address: 'stremio_url',
  fields: [{ setting: 'stremio_url' }],
  usualPorts: [],
});
