import type { TextPage } from '../port.ts';
import { notifyInKodi } from './notify.ts';
import type { BridgePeer } from './peer.ts';
import { showPage } from './questions.ts';
import type { KodiWindows } from './windows.ts';

/** The text that the service shows: one at a time, until it is read or something is played. */
export interface ServicePage {
  show(page: TextPage): Promise<void>;
  /** Whoever plays something needs it no longer. */
  close(): void;
}

/** Shows it in a window of ours, which stays; in a notification where that cannot open. */
export function servicePage(windows: KodiWindows, peer: BridgePeer, aborted: AbortSignal): ServicePage {
  let closing = new AbortController();
  const close = () => {
    closing.abort(new Error('it is no longer of use'));
    closing = new AbortController();
  };
  return {
    close,
    show: async (page) => {
      close();
      try {
        await showPage(windows, page, AbortSignal.any([aborted, closing.signal]));
      } catch {
        aborted.throwIfAborted();
        // Why, the host's log tells.
        await notifyInKodi(peer, { what: page.title, next: page.text });
      }
    },
  };
}
