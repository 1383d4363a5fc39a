import { stderrLogger } from './log/index.ts';

// The executable: what the media centre's host starts (plugin, service), and the terminal's commands. Each command is
// loaded only when it is asked for, because the plugin's start-up time is waited for by a person.

declare const SLIPSTREAM_VERSION: string;

const FAILED = 1;
const USAGE_ERROR = 2;

const USAGE = `Usage:
  slipstream play <title> [--year Y] [--season S --episode E] [--imdb tt…] [--tmdb N] [--tvdb N]
             [--best | --pick] [--player "mpv --fs"] [--settings FILE] [--data FOLDER] [--verbose]
  slipstream --version

play searches your indexers, lets you choose (--pick) or takes the best release (--best), waits until your backend is
ready, prints a local URL and serves it until Ctrl-C, or until the player that it started has ended.
`;

async function main([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case 'plugin':
      return await (await import('./commands/plugin.ts')).runPlugin();
    case 'service':
      return await (await import('./commands/service.ts')).runServiceCommand();
    case 'play':
      return await (await import('./commands/play.ts')).runPlay(rest);
    case '--version':
      process.stdout.write(`slipstream ${SLIPSTREAM_VERSION}\n`);
      return 0;
    default:
      process.stderr.write(USAGE);
      return command === '--help' ? 0 : USAGE_ERROR;
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    stderrLogger().error('the engine failed', error);
    process.exitCode = FAILED;
  },
);
