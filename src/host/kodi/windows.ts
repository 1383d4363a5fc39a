import * as v from 'valibot';
import type { BridgePeer } from './peer.ts';

/** Hears what happens in one window of ours. */
interface WindowListener {
  /** A control was clicked; `row` is the id of the focused row when it is a list, else empty. */
  onClick(control: number, row: string): void;
  /** The context menu was asked for: its key, a long OK, a right click, a long touch. */
  onMenu?(): void;
  /** A key, the wheel or a swipe moved something; Kodi has carried it out. */
  onMove?(): void;
  /** Back or Stop was pressed; the window stays open until we close it. */
  onBack(): void;
  /** The window is gone, whoever closed it. */
  onClosed(): void;
}

export interface WindowContent {
  readonly properties?: Readonly<Record<string, string>>;
  /** By the list's control id, all its rows in order. */
  readonly lists?: Readonly<Record<string, readonly WindowListRow[]>>;
  /** By the list's control id, the row that gets its focus; absent: the list looks after it. */
  readonly selected?: Readonly<Record<string, string>>;
  readonly percents?: Readonly<Record<string, number>>;
  /** The control that gets the focus; absent or null: it stays. */
  readonly focus?: number | null;
}

/** A row's id alone stands for the row as it was last sent. */
export interface WindowListRow {
  readonly id: string;
  readonly label?: string;
  readonly properties?: Readonly<Record<string, string>>;
}

export interface KodiWindow {
  update(content: WindowContent): Promise<void>;
  close(): Promise<void>;
}

export interface KodiWindows {
  open(xml: string, content: WindowContent, listener: WindowListener): Promise<KodiWindow>;
  /** Resolves when no window is about to come up: what is shown then is in front. */
  waitUntilSettled(): Promise<void>;
}

const Event = v.looseObject({
  window: v.string(),
  kind: v.picklist(['click', 'focus', 'menu', 'moved', 'closed']),
  control: v.optional(v.number(), -1),
  row: v.optional(v.string(), ''),
});
const Back = v.looseObject({ window: v.string() });

/** Opens our windows over the bridge and brings each one's events to its listener. */
export function kodiWindows(peer: BridgePeer): KodiWindows {
  const listeners = new Map<string, WindowListener>();
  let opened = 0;
  // One after the other: of two that open at once either could end up in front.
  let lastOpen: Promise<unknown> = Promise.resolve();

  peer.handle('window.event', (params) => {
    const event = v.parse(Event, params);
    const listener = listeners.get(event.window);
    if (event.kind === 'click') listener?.onClick(event.control, event.row);
    if (event.kind === 'menu') listener?.onMenu?.();
    if (event.kind === 'moved') listener?.onMove?.();
    if (event.kind === 'closed') {
      listeners.delete(event.window);
      listener?.onClosed();
    }
  });
  peer.handle('window.back', (params) => {
    listeners.get(v.parse(Back, params).window)?.onBack();
    return true;
  });

  return {
    waitUntilSettled: async () => {
      await lastOpen;
    },
    open: async (xml, content, listener) => {
      const window = `${xml.replace(/\.xml$/, '')}-${++opened}`;
      listeners.set(window, listener);
      const call = () =>
        peer.call('window.open', { window, xml, properties: {}, lists: {}, focus: null, ...content });
      const opening = lastOpen.then(call, call);
      lastOpen = opening.catch(() => undefined);
      try {
        await opening;
      } catch (error) {
        listeners.delete(window);
        throw error;
      }
      return {
        update: async (change) => {
          await peer.call('window.update', { window, ...change });
        },
        close: async () => {
          listeners.delete(window);
          await peer.call('window.close', { window }).catch((error: unknown) => {
            // With the bridge the window has gone as well.
            if (!peer.closed.aborted) throw error;
          });
        },
      };
    },
  };
}
