import { choice, integer, secret, text } from './kinds.ts';

const WEBDAV = [
  text(
    'webdav_api_url',
    'backends',
    30106,
    'nzbdav address',
    'Address of nzbdav, for example http://192.168.1.10:3000.',
  ),
  secret('webdav_api_key', 'backends', 30108, 'nzbdav API key', 'From nzbdav, Settings, SABnzbd.'),
  text(
    'webdav_url',
    'backends',
    30110,
    'WebDAV address',
    'Where nzbdav serves its files. Leave empty when it is the nzbdav address.',
  ),
  text('webdav_username', 'backends', 30112, 'WebDAV user', 'From nzbdav, Settings, WebDAV.', 'admin'),
  secret(
    'webdav_password',
    'backends',
    30114,
    'WebDAV password',
    'From nzbdav, Settings, WebDAV. It is not the API key.',
  ),
  text(
    'webdav_movie_category',
    'backends',
    30116,
    'Category for films',
    'The nzbdav category that films are submitted under.',
    'movies',
  ),
  text(
    'webdav_tv_category',
    'backends',
    30118,
    'Category for episodes',
    'The nzbdav category that episodes are submitted under.',
    'tv',
  ),
] as const;

const NZBGET = [
  text(
    'nzbget_url',
    'backends',
    30140,
    'NZBGet address',
    'Address of NZBGet, for example http://192.168.1.10:6789.',
  ),
  text('nzbget_username', 'backends', 30142, 'NZBGet user', 'From NZBGet, Settings, Security.', 'nzbget'),
  secret('nzbget_password', 'backends', 30144, 'NZBGet password', 'From NZBGet, Settings, Security.'),
  text(
    'nzbget_movie_category',
    'backends',
    30146,
    'NZBGet category for films',
    'The NZBGet category that films are submitted under.',
    'Movies',
  ),
  text(
    'nzbget_tv_category',
    'backends',
    30148,
    'NZBGet category for episodes',
    'The NZBGet category that episodes are submitted under.',
    'Series',
  ),
  text(
    'nzbget_folder',
    'backends',
    30150,
    'Folder of finished downloads',
    'Where Kodi finds what NZBGet has finished: a path, smb://server/share/folder or nfs://server/folder.',
  ),
  text(
    'nzbget_server_folder',
    'backends',
    30152,
    'The same folder in NZBGet',
    'How NZBGet itself calls that folder. Empty: its DestDir.',
  ),
  choice(
    'nzbget_priority',
    'backends',
    30154,
    'NZBGet priority',
    'How urgent NZBGet takes what you want to watch.',
    [
      { value: 'very-high', label: 'Very high', stringId: 30156 },
      { value: 'normal', label: 'Normal', stringId: 30157 },
      { value: 'force', label: 'Even when paused', stringId: 30158 },
    ],
  ),
  integer(
    'nzbget_backups',
    'backends',
    30160,
    'Backups in NZBGet',
    'So many other posts of the same release wait in NZBGet in case the chosen one fails. 0: none.',
    [0, 0, 5],
  ),
] as const;

const DIRECT_STREAM = [
  choice(
    'direct_kind',
    'backends',
    30170,
    'Streaming service',
    'Which service takes an NZB and answers with a stream.',
    [
      { value: 'altmount', label: 'AltMount', stringId: 30172 },
      { value: 'streamnzb', label: 'StreamNZB', stringId: 30173 },
    ],
  ),
  text(
    'direct_url',
    'backends',
    30174,
    'Streaming service address',
    'Address of the service, for example http://192.168.1.10:8080.',
  ),
  secret('direct_api_key', 'backends', 30176, 'Streaming service key', 'Its API key or token.'),
] as const;

export const BACKENDS = [
  choice(
    'playback_backend',
    'backends',
    30132,
    'Played by',
    'What gets the chosen release ready for playing.',
    [
      { value: 'webdav', label: 'nzbdav, InfiniDysk or AltMount (WebDAV)', stringId: 30134 },
      { value: 'nzbget', label: 'NZBGet', stringId: 30135 },
      { value: 'direct', label: 'A service that streams by itself', stringId: 30136 },
    ],
  ),
  ...WEBDAV,
  ...NZBGET,
  ...DIRECT_STREAM,
] as const;
