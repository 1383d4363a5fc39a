import { playService } from './play-service.ts';

export const WEBDAV = playService({
  id: 'webdav',
  name: 'nzbdav',
  products: ['InfiniDysk', 'AltMount', 'SABnzbd'],
  help: 'A server of your own that streams from usenet without downloading first. InfiniDysk and AltMount work as well.',
  address: 'webdav_api_url',
  fields: [
    { setting: 'webdav_api_url' },
    { setting: 'webdav_api_key' },
    { setting: 'webdav_username', isAskedInShell: true },
    { setting: 'webdav_password', isOptional: true },
    { setting: 'webdav_url', isOptional: true },
    { setting: 'webdav_movie_category' },
    { setting: 'webdav_tv_category' },
  ],
  chosenBy: { playback_backend: 'webdav' },
  usualPorts: [3000, 8080],
});
