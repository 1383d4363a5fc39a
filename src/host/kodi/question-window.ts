import { deferred } from '../../io/deferred.ts';
import { unlessAborted } from '../../io/wait.ts';
import type { KodiWindows, WindowContent } from './windows.ts';

/** A window of ours that asks one thing. */
interface QuestionWindow<T> {
  /** Resolves with undefined for Back; rejects with the signal's reason. The window is then gone. */
  readonly answer: Promise<T | undefined>;
  /** Shows this instead, as far as it is still open. */
  update(content: WindowContent): Promise<void>;
  /** As Back. */
  close(): Promise<void>;
}

/**
 * Opens a window that asks.
 * @param meaning what a click answers: the control, and the row when it is a list; undefined: nothing
 * @throws HOST_FAILED when it cannot be opened
 */
export async function openQuestion<T>(
  windows: KodiWindows,
  xml: string,
  content: WindowContent,
  meaning: (control: number, row: string) => T | undefined,
  signal: AbortSignal,
): Promise<QuestionWindow<T>> {
  const answer = deferred<T | undefined>();
  const back = () => {
    answer.resolve(undefined);
  };
  const window = await windows.open(xml, content, {
    onClick: (control, row) => {
      const meant = meaning(control, row);
      if (meant !== undefined) answer.resolve(meant);
    },
    onBack: back,
    onClosed: back,
  });
  const answered = unlessAborted(answer.promise, signal).finally(() => window.close());
  // Nobody may be waiting for it yet.
  answered.catch(() => undefined);
  return {
    answer: answered,
    update: (change) => window.update(change),
    close: async () => {
      back();
      await answered.catch(() => undefined);
    },
  };
}
