import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { CancelledError, type Explanation } from '../../src/errors/index.ts';
import type { Host, PickList, PlayItem, Progress, ProgressState } from '../../src/host/port.ts';

/** A Host that keeps everything in memory and remembers what was asked of it. */
export interface RecordingHost extends Host {
  readonly resolved: (PlayItem | undefined)[];
  readonly played: PlayItem[];
  readonly notified: Explanation[];
  readonly progress: ProgressState[];
  readonly picked: PickList[];
  readonly propertyValues: Map<string, string>;
  /** Progress displays and lists that are open now. */
  open(): number;
  /** The host wants us gone. */
  abort(): void;
  /** The person cancels in the progress display. */
  cancel(): void;
}

export interface RecordingOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The person's choice at a list; the first row without it. */
  readonly choice?: (list: PickList, host: RecordingHost) => Promise<number | undefined>;
  /** Called at each state of the progress display. */
  readonly onProgress?: (state: ProgressState, host: RecordingHost) => void;
  readonly dataFolder?: string;
}

export function recordingHost(options: RecordingOptions = {}): RecordingHost {
  const aborted = new AbortController();
  const propertyValues = new Map<string, string>();
  let cancel: () => void = () => undefined;
  let open = 0;
  const host: RecordingHost = {
    dataFolder: options.dataFolder ?? temporaryFolder(),
    aborted: aborted.signal,
    resolved: [],
    played: [],
    notified: [],
    progress: [],
    picked: [],
    propertyValues,
    open: () => open,
    abort: () => {
      aborted.abort(new CancelledError('shutdown'));
    },
    cancel: () => {
      cancel();
    },
    readSettings: (ids) =>
      Promise.resolve(
        Object.fromEntries(Object.entries(options.settings ?? {}).filter(([id]) => ids.includes(id))),
      ),
    properties: {
      get: (name) => Promise.resolve(propertyValues.get(name) ?? ''),
      set: (name, value) => {
        propertyValues.set(name, value);
        return Promise.resolve();
      },
      clear: (name) => {
        propertyValues.delete(name);
        return Promise.resolve();
      },
    },
    openProgress: (): Promise<Progress> => {
      const cancelled = new AbortController();
      cancel = () => {
        cancelled.abort(new CancelledError('person'));
      };
      let isOpen = true;
      open++;
      return Promise.resolve({
        update: (state) => {
          host.progress.push(state);
          options.onProgress?.(state, host);
          return Promise.resolve();
        },
        cancelled: cancelled.signal,
        close: () => {
          if (isOpen) open--;
          isOpen = false;
          return Promise.resolve();
        },
      });
    },
    pick: async (list, signal) => {
      host.picked.push(list);
      signal.throwIfAborted();
      open++;
      try {
        return await Promise.race([options.choice?.(list, host) ?? Promise.resolve(0), rejection(signal)]);
      } finally {
        open--;
      }
    },
    notify: (message) => {
      host.notified.push(message);
      return Promise.resolve();
    },
    play: (item) => {
      host.played.push(item);
      return Promise.resolve();
    },
    resolve: (item) => {
      host.resolved.push(item);
      return Promise.resolve();
    },
  };
  return host;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
}
