import { join } from 'node:path';
import { CancelledError } from '../../src/errors/index.ts';
import type {
  Host,
  MenuRow,
  Message,
  Picker,
  PickerView,
  PlayItem,
  ProgressDisplay,
  ProgressState,
  ReplayRequest,
} from '../../src/host/port.ts';
import { shownRows } from '../../src/host/shown-rows.ts';
import { localFiles } from '../../src/host/terminal/files.ts';
import { deferred } from '../../src/io/deferred.ts';
import { unlessAborted } from '../../src/io/wait.ts';
import { type Person, personAndQuestions } from './scripted-person.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type { Person } from './scripted-person.ts';

/** A Host that keeps everything in memory and remembers what was asked of it. */
export interface RecordingHost extends Host {
  readonly resolved: (PlayItem | undefined)[];
  /** How often "nothing" was to end the playlist. */
  playlistsEnded: number;
  readonly menus: (readonly MenuRow[])[];
  /** How often the menu was to be shown anew. */
  menusRenewed: number;
  /** The routes that were started beside the call. */
  readonly started: string[];
  readonly played: PlayItem[];
  /** Set: the service makes each call itself. */
  recall: ReplayRequest | undefined;
  readonly notified: Message[];
  readonly progress: ProgressState[];
  /** Each view that a list was opened with or changed to. */
  readonly picked: PickerView[];
  readonly propertyValues: Map<string, string>;
  /** The stored settings; what is written to them is here. */
  readonly settings: Record<string, string>;
  /** The pages of the settings that were opened; undefined: no page in particular. */
  readonly settingsOpened: (string | undefined)[];
  /** Who answers what is asked: until then a question stays open. */
  readonly person: Person;
  /** Progress displays, lists, questions and cards that are open now. */
  open(): number;
  /** The host wants us gone. */
  abort(): void;
  /** The person cancels in the progress display. */
  cancel(): void;
}

export interface RecordingOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The person's choice: the row's id, undefined for Back. Asked once the list has rows, or nothing more will come.
   * Without it the first row is taken.
   */
  readonly choice?: (view: PickerView, host: RecordingHost) => Promise<string | undefined>;
  /** The other add-ons that are installed, and the folder in which each one's data is; without it there are none. */
  readonly addons?: { readonly installed: readonly string[]; readonly folder: string };
  /** There is a shell; what is said there is put into it. */
  readonly shell?: string[];
  readonly resumeAsked?: boolean;
  /** The person's answer to where to begin; by default where the film was left. */
  readonly resume?: (position: number) => Promise<'resume' | 'start' | undefined>;
  readonly startedBy?: 'person' | 'playlist';
  readonly makesWay?: boolean;
  /** Called at each state of the progress display. */
  readonly onProgress?: (state: ProgressState, host: RecordingHost) => void;
  readonly dataFolder?: string;
  /** A person has the menu on the screen. */
  readonly menuIsSeen?: boolean;
}

export function recordingHost(options: RecordingOptions = {}): RecordingHost {
  const aborted = new AbortController();
  const propertyValues = new Map<string, string>();
  let cancel: () => void = () => undefined;
  let open = 0;
  const { person, questions, openCodeCard } = personAndQuestions(
    () => open++,
    () => open--,
  );
  const { addons, shell } = options;
  const host: RecordingHost = {
    dataFolder: options.dataFolder ?? temporaryFolder(),
    aborted: aborted.signal,
    resolved: [],
    playlistsEnded: 0,
    menus: [],
    menusRenewed: 0,
    started: [],
    played: [],
    recall: undefined,
    notified: [],
    progress: [],
    picked: [],
    propertyValues,
    settings: { ...options.settings },
    settingsOpened: [],
    person,
    open: () => open,
    abort: () => {
      aborted.abort(new CancelledError('shutdown'));
    },
    cancel: () => {
      cancel();
    },
    readSettings: (ids) =>
      Promise.resolve(Object.fromEntries(Object.entries(host.settings).filter(([id]) => ids.includes(id)))),
    writeSettings: (values) => {
      Object.assign(host.settings, values);
      return Promise.resolve();
    },
    openSettings: (page) => {
      host.settingsOpened.push(page);
      return Promise.resolve();
    },
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
    files: localFiles,
    ...(addons !== undefined && {
      addons: {
        isInstalled: (id: string) => Promise.resolve(addons.installed.includes(id)),
        dataFolder: (id: string) => join(addons.folder, id),
      },
    }),
    cancelKey: 'Back',
    ...(shell !== undefined && {
      shell: {
        settingsFile: '/home/of/settings.json',
        command: (words: string) => `slipstream ${words}`,
        print: (text: string) => void shell.push(text),
        printUnbroken: (line: string) => void shell.push(line),
      },
    }),
    openProgress: (): Promise<ProgressDisplay> => {
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
    openPicker: (view, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      open++;
      const choice = options.choice ?? ((shown) => Promise.resolve(shownRows(shown, undefined).rows[0]?.id));
      const picker = recordingPicker(view, signal, {
        show: (shown) => host.picked.push(shown),
        choose: (shown) => choice(shown, host),
        closed: () => open--,
      });
      return Promise.resolve(picker);
    },
    questions,
    openCodeCard,
    resumeAnswer: () => Promise.resolve(options.resumeAsked),
    askResume: async (offer, signal) => {
      signal.throwIfAborted();
      open++;
      try {
        return await unlessAborted(options.resume?.(offer.position) ?? Promise.resolve('resume'), signal);
      } finally {
        open--;
      }
    },
    startedBy: () => Promise.resolve(host.recall === undefined ? (options.startedBy ?? 'person') : 'service'),
    takeReplayRequest: () => Promise.resolve(host.recall),
    deferToBrokenFilm: () => Promise.resolve(options.makesWay ?? false),
    notify: (message) => {
      host.notified.push(message);
      return Promise.resolve();
    },
    play: (item) => {
      host.played.push(item);
      return Promise.resolve();
    },
    showMenu: (rows) => {
      host.menus.push(rows);
      return Promise.resolve(options.menuIsSeen ?? false);
    },
    renewMenu: () => {
      host.menusRenewed++;
      return Promise.resolve();
    },
    startRoute: (route) => {
      host.started.push(route);
      return Promise.resolve();
    },
    resolve: (item, after) => {
      host.resolved.push(item);
      if (after?.endPlaylist === true) host.playlistsEnded++;
      return Promise.resolve();
    },
  };
  return host;
}

interface PickerPerson {
  show(view: PickerView): void;
  choose(view: PickerView): Promise<string | undefined>;
  closed(): void;
}

function recordingPicker(view: PickerView, signal: AbortSignal, person: PickerPerson): Picker {
  const { promise, resolve, reject } = deferred<string | undefined>();
  let asked = false;
  let isOpen = true;
  const show = (next: PickerView) => {
    person.show(next);
    if (asked || (next.rows.length === 0 && next.searching)) return;
    asked = true;
    person.choose(next).then(resolve, reject);
  };
  const chosen = unlessAborted(promise, signal).finally(() => {
    isOpen = false;
    person.closed();
  });
  chosen.catch(() => undefined);
  show(view);
  return {
    update: (next) => {
      if (isOpen) show(next);
      return Promise.resolve();
    },
    chosen,
    close: async () => {
      resolve(undefined);
      await chosen.catch(() => undefined);
    },
  };
}
