import { runPlayerFile } from '../player-file/index.ts';
import type { Step } from './step.ts';

const TMDBHELPER = 'plugin.video.themoviedb.helper';

/** Where films are chosen: there Slipstream has to be among the players. */
export const playerFile: Step = {
  id: 'player-file',
  label: 'The player in TMDbHelper',
  isNeeded: async ({ context }) => (await context.host.addons?.isInstalled(TMDBHELPER)) === true,
  run: async ({ context }) => {
    const { host, signal } = context;
    const wanted = await host.questions.confirm(
      {
        title: 'TMDbHelper',
        text: 'TMDbHelper is installed. Slipstream can be put among its players, so that you choose films there and play them with Slipstream.',
        yes: 'Do that',
        no: 'Not now',
      },
      signal,
    );
    if (wanted === undefined) return 'back';
    if (wanted) await runPlayerFile(context);
    return 'next';
  },
};
