import {
  action,
  atLevel,
  boolean,
  choice,
  group,
  integer,
  page,
  secret,
  shownOnceSet,
  shownWhen,
  test,
  text,
} from './schema.ts';

const PLAYED_BY = group(30026, 'What gets releases ready', [
  choice('playback_backend', 30132, 'Played by', 'What gets the chosen release ready for playing.', [
    { value: 'webdav', label: 'nzbdav, InfiniDysk or AltMount (WebDAV)', stringId: 30134 },
    { value: 'nzbget', label: 'NZBGet', stringId: 30135 },
    { value: 'direct', label: 'A service that streams by itself', stringId: 30136 },
  ]),
  atLevel(
    'standard',
    boolean(
      'direct_by_proxy',
      30182,
      'Play streams of services through Slipstream',
      'Slipstream sees to it that the film stays the same one, and bridges what is lost. Off: Kodi opens them itself.',
      true,
    ),
  ),
]);

const WEBDAV = group(
  30027,
  'nzbdav',
  [
    text('webdav_api_url', 30106, 'nzbdav address', 'For example http://192.168.1.10:3000.'),
    secret('webdav_api_key', 30108, 'nzbdav API key', 'From nzbdav, Settings, SABnzbd.'),
    atLevel(
      'standard',
      text('webdav_url', 30110, 'WebDAV address', 'Where its files are. Empty: at the nzbdav address.'),
    ),
    text('webdav_username', 30112, 'WebDAV user', 'From nzbdav, Settings, WebDAV.', 'admin'),
    secret(
      'webdav_password',
      30114,
      'WebDAV password',
      'From nzbdav, Settings, WebDAV. It is not the API key.',
    ),
    shownOnceSet('webdav_api_url', test('webdav', 30916, 'Tries the API and the files of nzbdav.')),
    atLevel(
      'standard',
      text(
        'webdav_movie_category',
        30116,
        'Category for films',
        'The nzbdav category that films are submitted under.',
        'movies',
      ),
    ),
    atLevel(
      'standard',
      text(
        'webdav_tv_category',
        30118,
        'Category for episodes',
        'The nzbdav category that episodes are submitted under.',
        'tv',
      ),
    ),
    atLevel(
      'standard',
      boolean(
        'webdav_goes_first',
        30180,
        'Our download goes first',
        'Puts it before all that waits at nzbdav and InfiniDysk. AltMount keeps its own order.',
        true,
      ),
    ),
  ],
  { setting: 'playback_backend', is: 'webdav' },
);

const NZBGET = group(
  30028,
  'NZBGet',
  [
    text('nzbget_url', 30140, 'NZBGet address', 'For example http://192.168.1.10:6789.'),
    text('nzbget_username', 30142, 'NZBGet user', 'From NZBGet, Settings, Security.', 'nzbget'),
    secret('nzbget_password', 30144, 'NZBGet password', 'From NZBGet, Settings, Security.'),
    text(
      'nzbget_folder',
      30150,
      'Folder of finished downloads',
      'As Kodi opens it, such as smb://nas/done. A path and nfs:// work as well.',
    ),
    text(
      'nzbget_server_folder',
      30152,
      'The same folder in NZBGet',
      'As NZBGet calls it. Empty: its DestDir.',
    ),
    atLevel(
      'standard',
      action(
        'mappings',
        30918,
        'More folders',
        'Where other folders of NZBGet are found from here, such as those of its categories.',
        'mappings',
      ),
    ),
    shownOnceSet('nzbget_url', test('nzbget', 30920, 'Tries NZBGet, and whether its folder can be opened.')),
    atLevel(
      'standard',
      text(
        'nzbget_movie_category',
        30146,
        'NZBGet category for films',
        'The NZBGet category that films are submitted under.',
        'Movies',
      ),
    ),
    atLevel(
      'standard',
      text(
        'nzbget_tv_category',
        30148,
        'NZBGet category for episodes',
        'The NZBGet category that episodes are submitted under.',
        'Series',
      ),
    ),
    atLevel(
      'standard',
      choice('nzbget_priority', 30154, 'NZBGet priority', 'How urgent NZBGet takes what you want to watch.', [
        { value: 'very-high', label: 'Very high', stringId: 30156 },
        { value: 'normal', label: 'Normal', stringId: 30157 },
        { value: 'force', label: 'Even when paused', stringId: 30158 },
      ]),
    ),
    atLevel(
      'standard',
      integer(
        'nzbget_backups',
        30160,
        'Backups in NZBGet',
        'So many other posts of the same release wait in NZBGet in case the chosen one fails. 0: none.',
        [0, 0, 5],
      ),
    ),
  ],
  { setting: 'playback_backend', is: 'nzbget' },
);

const DIRECT_STREAM = group(
  30029,
  'Streaming service',
  [
    choice(
      'direct_kind',
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
      30174,
      'Streaming service address',
      'For example http://192.168.1.10:8080. The port of StreamNZB is 7000.',
    ),
    secret('direct_api_key', 30176, 'Streaming service key', 'Its API key or token.'),
    atLevel(
      'standard',
      shownWhen(
        'direct_kind',
        'altmount',
        text(
          'direct_webdav_username',
          30184,
          'AltMount WebDAV user',
          'From AltMount, Settings, WebDAV. With both, what failed plays leave there is deleted.',
        ),
      ),
    ),
    atLevel(
      'standard',
      shownWhen(
        'direct_kind',
        'altmount',
        secret(
          'direct_webdav_password',
          30186,
          'AltMount WebDAV password',
          'From AltMount, Settings, WebDAV. It is not the API key.',
        ),
      ),
    ),
    shownWhen('direct_kind', 'altmount', test('altmount', 30922, 'Tries AltMount.')),
    shownWhen('direct_kind', 'streamnzb', test('streamnzb', 30924, 'Tries StreamNZB.')),
  ],
  { setting: 'playback_backend', is: 'direct' },
);

export const BACKENDS = page('backends', 30008, 'Backends', [PLAYED_BY, WEBDAV, NZBGET, DIRECT_STREAM]);
