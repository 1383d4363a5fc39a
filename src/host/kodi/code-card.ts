import type { CodeCard, OpenCodeCard } from '../port.ts';
import type { KodiDialogs } from './dialogs.ts';

/** The card as text, in a dialog of Kodi's, which cannot change while it is open. */
export async function openKodiCodeCard(
  dialogs: KodiDialogs,
  card: CodeCard,
  signal: AbortSignal,
): Promise<OpenCodeCard> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const text = [card.address, card.code, card.text, card.status].join('\n\n');
  const closed = dialogs
    .text(card.title, text, AbortSignal.any([signal, ended.signal]))
    .catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
  // Nobody may be waiting for it yet.
  closed.catch(() => undefined);
  return {
    update: () => Promise.resolve(),
    closed,
    close: async () => {
      ended.abort(new Error('the card is closed'));
      await closed.catch(() => undefined);
    },
  };
}
