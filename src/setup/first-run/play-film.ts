import { showFailureSince } from '../failure/show.ts';
import type { Step } from './step.ts';

const READY = {
  title: 'Slipstream is set up',
  text: 'Choose a film or an episode in TMDbHelper and play it with Slipstream, or search in Slipstream itself.\n\nMore indexers, filters, and everything else are in its settings.',
};

/** Does it play? Nobody has to try; whoever has a film waiting tries that one. */
export const playFilm: Step = {
  id: 'play',
  label: 'Whether a film plays',
  isNeeded: ({ filmWaits }) => Promise.resolve(!filmWaits),
  run: async (run) => {
    const { host, signal } = run.context;
    for (;;) {
      const { found } = run;
      const rows = [
        ...(found === undefined
          ? []
          : [{ id: 'play', label: `Play ${found.title}`, detail: 'To see that all works.' }]),
        { id: 'end', label: 'Finish' },
      ];
      const chosen = await host.questions.choose({ title: 'Everything is set up', rows }, signal);
      if (chosen === undefined) return 'back';
      if (chosen === 'end' || found === undefined) {
        await host.questions.show(READY, signal);
        return 'next';
      }
      const started = Date.now();
      if (await run.context.play(found)) return 'next';
      await showFailureSince(started, run.context);
    }
  },
};
