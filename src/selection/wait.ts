import type { ProgressDisplay } from '../host/port.ts';
import { pause, unlessAborted } from '../io/wait.ts';
import { type CachedSearch, statusLine } from '../search/index.ts';
import type { CandidateList } from './candidate-list.ts';
import type { Inventory } from './inventory.ts';

/** Waits until the backend has answered what it holds, and shows that it is waited for. */
export async function untilAnswered(
  inventory: Inventory,
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<void> {
  if (!inventory.isAnswered) await progress.update({ stage: `Asking ${inventory.backend} what it has` });
  await unlessAborted(inventory.answered, signal);
}

/** Waits until every source has answered, and shows for whom: it may take as long as the slowest. */
export async function untilFinished(
  list: CandidateList,
  progress: ProgressDisplay,
  signal: AbortSignal,
): Promise<void> {
  const show = () => {
    if (list.current.isSearching)
      progress
        .update({ stage: 'Waiting for more releases', detail: list.current.status })
        .catch(() => undefined);
  };
  show();
  const stop = list.onChange(show);
  try {
    await unlessAborted(list.finished, signal);
  } finally {
    stop();
  }
}

/**
 * Waits until the list may be shown, and shows how far the search is. For a person, who sees in the list that more may
 * come, a season pack that is there (`offered`) is enough, and after `deadline` milliseconds whatever was found.
 */
export async function untilEnoughToShow(
  search: CachedSearch,
  progress: ProgressDisplay,
  signal: AbortSignal,
  early: { readonly deadline: number; readonly offered: Promise<boolean> } | undefined,
): Promise<void> {
  const stop = search.onChange((state) => {
    const found = `${state.releases.length} found`;
    // A display that cannot be brought up to date is no reason to end the search.
    progress
      .update({ stage: 'Searching', detail: [found, statusLine(state)].filter(Boolean).join(' · ') })
      .catch(() => undefined);
  });
  const waiting = new AbortController();
  try {
    if (early === undefined) {
      await search.ready;
      return;
    }
    const offer = early.offered.then((isOffered) => (isOffered ? undefined : search.ready));
    const late = pause(early.deadline, AbortSignal.any([signal, waiting.signal]));
    const isLate = await Promise.race([
      late.then(() => true),
      ...[search.ready, offer].map((done) => done.then(() => false)),
    ]);
    const { releases, rejected: setAside } = search.state;
    if (isLate && releases.length === 0 && setAside.length === 0) await Promise.race([search.ready, offer]);
  } finally {
    stop();
    waiting.abort(new Error('no longer waited for'));
  }
}
