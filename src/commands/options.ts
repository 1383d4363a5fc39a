import { parseArgs } from 'node:util';
import { SlipstreamError } from '../errors/index.ts';

/** The options of a command by their names; a switch has an empty value. */
type Options<Name extends string> = Readonly<
  Record<Name, { readonly type: 'string' | 'boolean'; readonly short?: string }>
>;

interface ParsedOptions<Name extends string> {
  readonly values: Readonly<Partial<Record<Name, string>>>;
  readonly positionals: readonly string[];
}

/** Reads a command line. @throws INVALID_REQUEST with what is wrong about it, in words for who typed it */
export function parseOptions<Name extends string>(
  args: readonly string[],
  options: Options<Name>,
): ParsedOptions<Name> {
  // Not strict: Node's own complaints are about its ways out, not about the person's.
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Partial<Record<Name, string>> = {};
  for (const token of tokens) {
    if (token.kind === 'option') values[knownName(token, options)] = checkedValue(token, options);
  }
  return { values, positionals };
}

interface OptionToken {
  readonly name: string;
  /** As it was typed. */
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function knownName<Name extends string>({ name, rawName }: OptionToken, options: Options<Name>): Name {
  if (!Object.hasOwn(options, name)) throw usageError(`There is no option ${rawName}.`);
  return name as Name;
}

function checkedValue<Name extends string>(token: OptionToken, options: Options<Name>): string {
  const { rawName, value = '', inlineValue = false } = token;
  if (options[knownName(token, options)].type === 'boolean') {
    if (inlineValue) throw usageError(`${rawName} takes no value.`);
    return '';
  }
  // "--year --pick" is a year forgotten, not the year "--pick".
  if (value === '' || (!inlineValue && value.startsWith('-'))) throw usageError(`${rawName} needs a value.`);
  return value;
}

export function usageError(what: string): SlipstreamError {
  return new SlipstreamError('INVALID_REQUEST', { what, next: 'See: slipstream --help' });
}

/** What every command of the terminal understands. */
export const COMMON_OPTIONS = {
  settings: { type: 'string' },
  data: { type: 'string' },
  player: { type: 'string' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Where a command works, and how much it tells. */
export interface CommonArguments {
  readonly settingsFile?: string;
  readonly dataFolder?: string;
  readonly player?: string;
  readonly verbose: boolean;
}

export function commonArguments({
  settings,
  data,
  player,
  verbose,
}: Readonly<Partial<Record<keyof typeof COMMON_OPTIONS, string>>>): CommonArguments {
  return {
    ...(settings !== undefined && { settingsFile: settings }),
    ...(data !== undefined && { dataFolder: data }),
    ...(player !== undefined && { player }),
    verbose: verbose !== undefined,
  };
}
