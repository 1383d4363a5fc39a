import { playService } from './play-service.ts';

export const ALTMOUNT = playService({
  id: 'altmount',
  name: 'AltMount',
  help: 'A server of your own that takes an NZB and answers with a stream. Its WebDAV is not needed.',
  address: 'direct_url',
  fields: [
    { setting: 'direct_url' },
    { setting: 'direct_api_key' },
    { setting: 'direct_webdav_username', isOptional: true, isNotAsked: true },
    { setting: 'direct_webdav_password', isOptional: true, isNotAsked: true },
  ],
  chosenBy: { playback_backend: 'direct', direct_kind: 'altmount' },
  usualPorts: [8080],
});
