import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { CodeCard, OpenCodeCard } from '../port.ts';
import type { Interrupts } from './interrupts.ts';
import type { Screen } from './screen.ts';

/** Shows the card as lines; Ctrl-C goes back from it. */
export function openTerminalCodeCard(
  card: CodeCard,
  { screen, interrupts }: { readonly screen: Screen; readonly interrupts: Interrupts },
  signal: AbortSignal,
): OpenCodeCard {
  const over = deferred<void>();
  const back = () => {
    over.resolve();
  };
  const release = interrupts.claim(back);
  screen.line(card.title, 'bold');
  for (const line of [card.address, card.code, card.text]) screen.line(line);
  screen.status(card.status);
  const closed = unlessAborted(over.promise, signal).finally(() => {
    release();
    screen.clearStatus();
  });
  // Nobody may be waiting for it yet.
  closed.catch(() => undefined);
  return {
    update: ({ status }) => {
      screen.status(status);
      return Promise.resolve();
    },
    closed,
    close: async () => {
      back();
      await closed.catch(() => undefined);
    },
  };
}
