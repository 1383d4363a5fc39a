import type { Entry } from '../router.ts';
import {
  COMMON_OPTIONS,
  type CommonArguments,
  commonArguments,
  parseOptions,
  usageError,
} from './options.ts';

/** What `slipstream play` was asked for. */
export interface PlayArguments extends CommonArguments {
  /** The entry's parameters by the names that the plugin route knows. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether to take the best release (true), ask (false), or do as the settings say (undefined). */
  readonly automatic?: boolean;
}

const OPTIONS = {
  year: { type: 'string' },
  season: { type: 'string' },
  episode: { type: 'string' },
  imdb: { type: 'string' },
  tmdb: { type: 'string' },
  tvdb: { type: 'string' },
  pick: { type: 'boolean' },
  best: { type: 'boolean' },
  ...COMMON_OPTIONS,
} as const;

type OptionName = keyof typeof OPTIONS;

/** What the plugin route would leave out as nonsense; a person at a keyboard is told instead. */
const NUMBER_FORMATS: readonly { name: OptionName; form: RegExp; words: string }[] = [
  { name: 'year', form: /^(1[89]|2\d)\d\d$/, words: 'a year such as 2010' },
  { name: 'season', form: /^\d{1,5}$/, words: 'a number such as 1' },
  { name: 'episode', form: /^\d{1,5}$/, words: 'a number such as 2' },
  { name: 'imdb', form: /^tt\d{6,10}$/, words: 'an id such as tt1727587' },
  { name: 'tmdb', form: /^[1-9]\d{0,9}$/, words: 'a number such as 45745' },
  { name: 'tvdb', form: /^[1-9]\d{0,9}$/, words: 'a number such as 81189' },
];

/** Reads the command line; "help" when that is asked for. @throws INVALID_REQUEST with what is wrong about it. */
export function parsePlayArguments(args: readonly string[]): PlayArguments | 'help' {
  const { values, positionals } = parseOptions(args, OPTIONS);
  if (values.help !== undefined) return 'help';
  return playArguments(values, positionals);
}

function playArguments(
  values: Readonly<Partial<Record<OptionName, string>>>,
  [title, ...more]: readonly string[],
): PlayArguments {
  if (title === undefined || title.trim() === '' || more.length > 0)
    throw usageError('Name one title; put it in quotes when it has several words.');
  for (const { name, form, words } of NUMBER_FORMATS) {
    const value = values[name];
    if (value !== undefined && !form.test(value)) throw usageError(`--${name} wants ${words}.`);
  }
  const { year, season, episode, imdb, tmdb, tvdb, best, pick } = values;
  if ((season === undefined) !== (episode === undefined))
    throw usageError('--season and --episode belong together.');
  if (best !== undefined && pick !== undefined) throw usageError('Choose one of --best and --pick.');
  const named: Record<string, string | undefined> =
    season === undefined
      ? { type: 'movie', title, year }
      : { type: 'episode', showname: title, showyear: year };
  return {
    parameters: defined({ ...named, season, episode, imdb, tmdb, tvdb }),
    ...commonArguments(values),
    ...(best === undefined && pick === undefined ? {} : { automatic: best !== undefined }),
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

function defined<K extends string>(
  values: Readonly<Record<K, string | undefined>>,
): Readonly<Partial<Record<K, string>>> {
  // Object.fromEntries forgets the keys' type.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Record<K, string>
  >;
}
