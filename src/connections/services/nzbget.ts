import { playService } from './play-service.ts';

export const NZBGET = playService({
  id: 'nzbget',
  name: 'NZBGet',
  help: 'Downloads a release whole before it plays, into a folder that can be opened from here.',
  address: 'nzbget_url',
  fields: [
    { setting: 'nzbget_url' },
    { setting: 'nzbget_username', isAskedInShell: true },
    { setting: 'nzbget_password' },
    { setting: 'nzbget_folder' },
    { setting: 'nzbget_server_folder', isOptional: true },
    { setting: 'nzbget_movie_category' },
    { setting: 'nzbget_tv_category' },
  ],
  chosenBy: { playback_backend: 'nzbget' },
  usualPorts: [6789],
});
