import { type ParseArgsConfig, parseArgs } from 'node:util';

const USAGE_ERROR = 2;

/** Reads a tool's own options; whatever is none of them ends the tool with one sentence and status 2. */
export function parseOptions<T extends NonNullable<ParseArgsConfig['options']>>(usage: string, options: T) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const name = error instanceof Error ? /'([^' ]+)/.exec(error.message)?.[1] : undefined;
    const what =
      code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? 'is used in another way' : 'is not understood';
    console.error(`${name ?? 'The command line'} ${what}. Usage: ${usage}`);
    process.exit(USAGE_ERROR);
  }
}
