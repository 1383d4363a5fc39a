import { playService } from './play-service.ts';

export const STREAMNZB = playService({
  id: 'streamnzb',
  name: 'StreamNZB',
  help: 'A server of your own that takes an NZB and answers with a stream. Up to 4.1.0 it is a Stremio add-on instead.',
  address: 'direct_url',
  fields: [{ setting: 'direct_url' }, { setting: 'direct_api_key' }],
  chosenBy: { playback_backend: 'direct', direct_kind: 'streamnzb' },
  usualPorts: [7000],
});
