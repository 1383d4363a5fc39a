import { logCrashes, stderrLogger } from './log/index.ts';

// The executable: what the media centre's host starts (plugin, service), and the terminal's commands. Each command is
// loaded only when it is asked for, because the plugin's start-up time is waited for by a person.

declare const SLIPSTREAM_VERSION: string;

const FAILED = 1;
const USAGE_ERROR = 2;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case 'plugin':
      return await (await import('./commands/plugin.ts')).runPlugin();
    case 'service':
      return await (await import('./commands/service.ts')).runServiceCommand();
    case 'play':
      return await (await import('./commands/play.ts')).runPlay(rest);
    case 'setup':
      return await (await import('./commands/setup.ts')).runSetup(rest);
    case 'test':
      return await (await import('./commands/test.ts')).runTestCommand(rest);
    case 'names':
      return await (await import('./commands/parse-names.ts')).runParseNames();
    case '--version':
      process.stdout.write(`slipstream ${SLIPSTREAM_VERSION}\n`);
      return 0;
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write((await import('./commands/usage.ts')).USAGE);
      return 0;
    case undefined:
      process.stderr.write((await import('./commands/usage.ts')).USAGE);
      return USAGE_ERROR;
    default:
      process.stderr.write(`There is no command ${command}. See: slipstream --help\n`);
      return USAGE_ERROR;
  }
}

logCrashes();

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    stderrLogger().error('the engine failed', error);
    process.exitCode = FAILED;
  },
);
