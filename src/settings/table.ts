/**
 * Every setting, once. settings.xml, strings.po and the settings page of the docs are generated from this table.
 * An id is forever: a person's stored value hangs on it. String ids are explicit and never reused.
 */
interface Common {
  readonly id: string;
  readonly category: 'connection' | 'quality' | 'playback' | 'advanced';
  readonly label: string;
  readonly help: string;
  /** The number of the label in strings.po; the help text is the next one. */
  readonly stringId: number;
}

interface TextSetting extends Common {
  readonly type: 'text';
  readonly default: string;
  /** Hidden on screen, and masked wherever text of ours is written. */
  readonly secret?: boolean;
}

interface IntegerSetting extends Common {
  readonly type: 'integer';
  readonly default: number;
  readonly min: number;
  readonly max: number;
}

interface BooleanSetting extends Common {
  readonly type: 'boolean';
  readonly default: boolean;
}

export type Setting = TextSetting | IntegerSetting | BooleanSetting;

export const SETTINGS = [
  text(
    'indexer_name',
    'connection',
    30100,
    'Indexer name',
    'How the indexer is called in lists and messages.',
    'Indexer',
  ),
  text(
    'indexer_url',
    'connection',
    30102,
    'Indexer address',
    'Address of a Newznab indexer, with or without /api at its end.',
    '',
  ),
  secret(
    'indexer_api_key',
    'connection',
    30104,
    'Indexer API key',
    'The key from your indexer profile page.',
  ),
  text(
    'webdav_api_url',
    'connection',
    30106,
    'nzbdav address',
    'Address of nzbdav, for example http://192.168.1.10:3000.',
    '',
  ),
  secret('webdav_api_key', 'connection', 30108, 'nzbdav API key', 'From nzbdav, Settings, SABnzbd.'),
  text(
    'webdav_url',
    'connection',
    30110,
    'WebDAV address',
    'Where nzbdav serves its files. Leave empty when it is the nzbdav address.',
    '',
  ),
  text('webdav_username', 'connection', 30112, 'WebDAV user', 'From nzbdav, Settings, WebDAV.', 'admin'),
  secret(
    'webdav_password',
    'connection',
    30114,
    'WebDAV password',
    'From nzbdav, Settings, WebDAV. It is not the API key.',
  ),
  text(
    'webdav_movie_category',
    'connection',
    30116,
    'Category for films',
    'The nzbdav category that films are submitted under.',
    'movies',
  ),
  text(
    'webdav_tv_category',
    'connection',
    30118,
    'Category for episodes',
    'The nzbdav category that episodes are submitted under.',
    'tv',
  ),
  boolean('allow_2160p', 'quality', 30200, 'Show 2160p (4K)', 'Offer releases in this resolution.', true),
  boolean('allow_1080p', 'quality', 30202, 'Show 1080p', 'Offer releases in this resolution.', true),
  boolean('allow_720p', 'quality', 30204, 'Show 720p', 'Offer releases in this resolution.', true),
  boolean(
    'allow_sd',
    'quality',
    30206,
    'Show 576p and below',
    'Offer releases in standard definition.',
    true,
  ),
  boolean(
    'allow_unknown_resolution',
    'quality',
    30208,
    'Show unknown resolutions',
    'Offer releases whose name does not tell the resolution.',
    true,
  ),
  integer(
    'min_size_mb',
    'quality',
    30210,
    'Smallest size (MB)',
    'Reject smaller releases. 0: no limit.',
    0,
    0,
    1_000_000,
  ),
  integer(
    'max_size_mb',
    'quality',
    30212,
    'Largest size (MB)',
    'Reject larger releases. 0: no limit.',
    0,
    0,
    1_000_000,
  ),
  text(
    'required_words',
    'quality',
    30214,
    'Required words',
    'Comma-separated. Every one of them must be in the name.',
    '',
  ),
  text(
    'excluded_words',
    'quality',
    30216,
    'Excluded words',
    'Comma-separated. None of them may be in the name.',
    '',
  ),
  boolean(
    'auto_select',
    'playback',
    30300,
    'Play the best release at once',
    'Do not ask which release to play.',
    false,
  ),
  integer(
    'download_timeout',
    'playback',
    30302,
    'Wait for the backend (seconds)',
    'How long a release may take to become playable.',
    600,
    10,
    86_400,
  ),
  integer(
    'search_timeout',
    'advanced',
    30400,
    'Wait for the indexer (seconds)',
    'How long a search may take.',
    30,
    3,
    300,
  ),
] as const satisfies readonly Setting[];

export type SettingId = (typeof SETTINGS)[number]['id'];

function text<const Id extends string>(
  id: Id,
  category: Common['category'],
  stringId: number,
  label: string,
  help: string,
  initial: string,
) {
  return {
    id,
    category,
    stringId,
    label,
    help,
    type: 'text',
    default: initial,
  } as const satisfies TextSetting;
}

function secret<const Id extends string>(
  id: Id,
  category: Common['category'],
  stringId: number,
  label: string,
  help: string,
) {
  return {
    id,
    category,
    stringId,
    label,
    help,
    type: 'text',
    default: '',
    secret: true,
  } as const satisfies TextSetting;
}

function integer<const Id extends string>(
  id: Id,
  category: Common['category'],
  stringId: number,
  label: string,
  help: string,
  initial: number,
  min: number,
  max: number,
) {
  return {
    id,
    category,
    stringId,
    label,
    help,
    type: 'integer',
    default: initial,
    min,
    max,
  } as const satisfies IntegerSetting;
}

function boolean<const Id extends string>(
  id: Id,
  category: Common['category'],
  stringId: number,
  label: string,
  help: string,
  initial: boolean,
) {
  return {
    id,
    category,
    stringId,
    label,
    help,
    type: 'boolean',
    default: initial,
  } as const satisfies BooleanSetting;
}
