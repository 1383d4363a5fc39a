import { playService } from './of-backend.ts';

export const ALTMOUNT = playService({
  id: 'altmount',
  name: 'AltMount',
  help: 'A server of your own that streams from usenet and hands Kodi the stream itself.',
  address: 'direct_url',
  fields: [{ setting: 'direct_url' }, { setting: 'direct_api_key' }],
  chosenBy: { playback_backend: 'direct', direct_kind: 'altmount' },
  usualPorts: [8080],
});
