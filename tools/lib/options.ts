import { type ParseArgsConfig, parseArgs } from 'node:util';

const USAGE_ERROR = 2;

/** Reads a tool's own options; whatever is none of them ends the tool with one sentence and status 2. */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  usage: string,
  options: T,
  args = process.argv.slice(2),
) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const name = /'([^' ]+)/.exec(message)?.[1] ?? 'The command line';
    const isKnown = code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE';
    const what = isKnown
      ? message.includes('does not take')
        ? 'takes no value'
        : 'needs a value'
      : 'is not understood';
    console.error(`${name} ${what}. Usage: ${usage}`);
    process.exit(USAGE_ERROR);
  }
}
