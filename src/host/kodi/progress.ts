import { CancelledError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { ProgressDisplay, ProgressState } from '../port.ts';
import type { KodiWindows, WindowContent } from './windows.ts';

const PROGRESS_XML = 'slipstream-progress.xml';
const BAR = 20;

/**
 * Our progress window; Back in it cancels. Kodi needs up to half a second to show it, which nobody waits for: the search
 * is already under way, and what there is to show meanwhile is shown afterwards. Without a window the play goes on.
 */
export function openKodiProgress(windows: KodiWindows, title: string, log: Logger): ProgressDisplay {
  const cancelled = new AbortController();
  const cancel = () => {
    cancelled.abort(new CancelledError('person'));
  };
  const opening = windows
    .open(
      PROGRESS_XML,
      { properties: { title, busy: 'true' } },
      {
        onClick: cancel,
        onBack: cancel,
        onClosed: cancel,
      },
    )
    .catch((error: unknown) => {
      log.error('the progress window did not open', error);
      return undefined;
    });
  let shown: Promise<void> = Promise.resolve();
  return {
    update: (state) => {
      shown = shown
        .then(async () => (await opening)?.update(content(state)))
        .catch((error: unknown) => {
          log.error('the progress could not be shown', error);
        });
      return Promise.resolve();
    },
    cancelled: cancelled.signal,
    close: async () => {
      await shown;
      await (await opening)?.close();
    },
  };
}

function content({ stage, detail = '', percent }: ProgressState): WindowContent {
  const properties = { stage, detail, busy: percent === undefined ? 'true' : '' };
  return percent === undefined ? { properties } : { properties, percents: { [BAR]: Math.round(percent) } };
}
