import { parseArgs } from 'node:util';
import { SlipstreamError } from '../errors/index.ts';
import type { Entry } from '../router.ts';

/** What `slipstream play` was asked for. */
export interface PlayArguments {
  /** The entry's parameters by the names that the plugin route knows. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly settingsFile?: string;
  readonly dataFolder?: string;
  readonly player?: string;
  /** Whether to take the best release (true), ask (false), or do as the settings say (undefined). */
  readonly automatic?: boolean;
  readonly verbose: boolean;
}

const OPTIONS = {
  year: { type: 'string' },
  season: { type: 'string' },
  episode: { type: 'string' },
  imdb: { type: 'string' },
  tmdb: { type: 'string' },
  tvdb: { type: 'string' },
  settings: { type: 'string' },
  data: { type: 'string' },
  player: { type: 'string' },
  pick: { type: 'boolean' },
  best: { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const;

/** Reads the command line. @throws INVALID_REQUEST with what is wrong about it. */
export function parsePlayArguments(args: readonly string[]): PlayArguments {
  const { values, positionals } = parse(args);
  const [title, ...more] = positionals;
  if (title === undefined || more.length > 0)
    throw usage('Name one title; put it in quotes when it has several words.');
  const { year, season, episode, imdb, tmdb, tvdb } = values;
  const isEpisode = season !== undefined || episode !== undefined;
  const named: Record<string, string | undefined> = isEpisode
    ? { showname: title, showyear: year }
    : { title, year };
  const automatic = values.best === true ? true : values.pick === true ? false : undefined;
  return {
    parameters: defined({
      type: isEpisode ? 'episode' : 'movie',
      ...named,
      season,
      episode,
      imdb,
      tmdb,
      tvdb,
    }),
    ...defined({ settingsFile: values.settings, dataFolder: values.data, player: values.player }),
    ...(automatic === undefined ? {} : { automatic }),
    verbose: values.verbose === true,
  };
}

/** The entry point that the arguments stand for: the same as the plugin's. */
export function entryOf(
  { parameters }: PlayArguments,
  parsePluginEntry: (argv: readonly string[]) => Entry,
): Entry {
  const query = `?${new URLSearchParams(parameters).toString()}`;
  return parsePluginEntry(['plugin://plugin.video.slipstream/play', '-1', query, '']);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });
  } catch (cause) {
    throw usage(cause instanceof Error ? cause.message : 'The arguments cannot be read.');
  }
}

function usage(what: string): SlipstreamError {
  return new SlipstreamError('INVALID_REQUEST', { what, next: 'See: slipstream --help' });
}

function defined<K extends string>(
  values: Readonly<Record<K, string | undefined>>,
): Readonly<Partial<Record<K, string>>> {
  // Object.fromEntries forgets the keys' type.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Record<K, string>
  >;
}
