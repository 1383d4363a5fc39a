import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { createPeer, type Peer } from '../../src/host/kodi/index.ts';
import { localFiles } from '../../src/host/terminal/files.ts';
import { memoryLog } from './log.ts';

type Params = Record<string, unknown>;

export interface KodiEndWindow {
  readonly properties: Record<string, string>;
  /** Rows as they are shown, by control id. */
  readonly lists: Record<string, readonly Row[]>;
  /** The control that was given the focus last. */
  focus: number | null;
}

interface Row {
  readonly id: string;
  readonly label: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface KodiEndDialog {
  readonly method: string;
  readonly params: Params;
  /** The person's answer; without one the dialog was closed. */
  answer(value?: unknown): void;
}

/** The Python host's end of the bridge (docs/bridge.md): for tests of the engine's end. */
export interface KodiEnd {
  readonly calls: { method: string; params: Params; at: number }[];
  readonly properties: Map<string, string>;
  /** Of the item that has the focus. */
  readonly labels: Map<string, string>;
  readonly settings: Record<string, string>;
  /** The add-ons that are installed beside ours. */
  readonly addons: string[];
  /** Windows that are open now, by the engine's name for them. */
  readonly windows: Map<string, KodiEndWindow>;
  /** The dialog of Kodi's that waits for the person. */
  dialog: KodiEndDialog | undefined;
  /** Where its player stands. */
  player: { file: string; time: number; duration: number } | null;
  /** Its playlist's files, and which of them is to play. */
  readonly playlist: { position: number; entries: string[]; playing: string; afterRefusal: boolean };
  notify(method: string, params: Params): void;
  /** Sends a request and waits for the engine's answer. */
  request(method: string, params: Params): Promise<unknown>;
  /** Lets a method fail from now on. */
  refuse(method: string): void;
  /** Lets it work again. */
  allow(method: string): void;
  /** What a broken host might write. */
  write(text: string): void;
  /** The host is gone. */
  end(): void;
}

/** Kodi's dialogs, and what each answers when the person goes back. */
const NOTHING: Readonly<Record<string, unknown>> = {
  'dialog.select': -1,
  'dialog.menu': -1,
  'dialog.input': null,
  'dialog.confirm': null,
  'dialog.text': true,
};

/** Both ends of the bridge in one process. */
export interface FakeKodi extends KodiEnd {
  readonly peer: Peer;
  readonly log: ReturnType<typeof memoryLog>;
}

export function fakeKodi(): FakeKodi {
  const toEngine = new PassThrough();
  const fromEngine = new PassThrough();
  const log = memoryLog();
  const peer = createPeer(toEngine, fromEngine, log);
  return Object.assign(kodiEnd(toEngine, fromEngine), { peer, log });
}

/** Plays the host on a pair of streams. */
export function kodiEnd(toEngine: Writable, fromEngine: Readable): KodiEnd {
  const refused = new Set<string>();
  const waiting = new Map<number, (result: unknown) => void>();
  let lastId = 1000;
  const send = (message: object) => toEngine.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const kodi: KodiEnd = {
    calls: [],
    properties: new Map(),
    labels: new Map(),
    settings: {},
    addons: [],
    windows: new Map(),
    dialog: undefined,
    player: null,
    playlist: { position: -1, entries: [], playing: '', afterRefusal: false },
    notify: (method, params) => send({ method, params }),
    request: (method, params) => {
      const id = ++lastId;
      send({ id, method, params });
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    refuse: (method) => refused.add(method),
    allow: (method) => refused.delete(method),
    write: (text) => toEngine.write(text),
    end: () => toEngine.end(),
  };

  createInterface({ input: fromEngine }).on('line', (line) => {
    const message = JSON.parse(line) as { id: number; method?: string; params: Params; result?: unknown };
    if (message.method === undefined) {
      waiting.get(message.id)?.(message.result);
      return;
    }
    kodi.calls.push({ method: message.method, params: message.params, at: performance.now() });
    if (refused.has(message.method)) {
      send({ id: message.id, error: { code: -32000, message: 'refused by the test' } });
    } else if (message.method in NOTHING) {
      const nothing = NOTHING[message.method];
      kodi.dialog = {
        method: message.method,
        params: message.params,
        answer: (value) => {
          kodi.dialog = undefined;
          send({ id: message.id, result: value ?? nothing });
        },
      };
    } else if (message.method === 'files.list' || message.method === 'files.read') {
      fileAnswer(message.method, message.params).then(
        (result) => send({ id: message.id, result }),
        (error: unknown) => send({ id: message.id, error: { code: -32000, message: String(error) } }),
      );
    } else {
      send({ id: message.id, result: answer(kodi, message.method, message.params) });
    }
  });
  return kodi;
}

/** What the host answers about this machine's files: a read within its bound, in base64. */
async function fileAnswer(method: string, params: Params): Promise<unknown> {
  const { folder, path } = params as Record<string, string>;
  const { from, length } = params as Record<string, number>;
  const { signal } = new AbortController();
  if (method === 'files.list') return (await localFiles.list(folder!, signal)) ?? null;
  if (length! < 1 || length! > 1024 * 1024) throw new Error('length is not between 1 and 1048576');
  const bytes = await localFiles.read(path!, { from: from!, length: length! }, signal);
  return bytes === undefined ? null : Buffer.from(bytes).toString('base64');
}

function answer(kodi: KodiEnd, method: string, params: Params): unknown {
  const { name, value, window } = params as Record<string, string>;
  switch (method) {
    case 'settings.read':
      return Object.fromEntries(
        Object.entries(kodi.settings).filter(([id]) => (params['ids'] as string[]).includes(id)),
      );
    case 'settings.write':
      Object.assign(kodi.settings, params['values']);
      return true;
    case 'addons.installed':
      return kodi.addons.includes((params as Record<string, string>)['id']!);
    case 'property.get':
      return kodi.properties.get(name!) ?? '';
    case 'property.set':
      kodi.properties.set(name!, value!);
      return true;
    case 'property.clear':
      kodi.properties.delete(name!);
      return true;
    case 'player.state':
      return kodi.player;
    case 'playlist.state':
      return {
        position: kodi.playlist.position,
        playing: kodi.player,
        afterRefusal: kodi.playlist.afterRefusal,
      };
    case 'playlist.entries':
      return {
        entries: kodi.playlist.entries.map((file) => ({ file, label: file })),
        playing: kodi.playlist.playing,
      };
    case 'playlist.prepend':
      kodi.playlist.entries.unshift(...(params['entries'] as { file: string }[]).map(({ file }) => file));
      return true;
    case 'labels.get':
      return Object.fromEntries(
        (params['names'] as string[]).map((name) => [name, kodi.labels.get(name) ?? '']),
      );
    case 'strings.get':
      return (params['ids'] as number[]).map((id) => `word ${id}: {0:s}`);
    case 'window.open':
      kodi.windows.set(window!, { properties: {}, lists: {}, focus: null });
      return fill(kodi.windows.get(window!), params);
    case 'window.update':
      return fill(kodi.windows.get(window!), params);
    case 'dialog.close':
      kodi.dialog?.answer();
      return true;
    case 'window.close':
      kodi.windows.delete(window!);
      return true;
    default:
      return true;
  }
}

/** As the host does it: a row that comes as its id alone is the one that was sent before. */
function fill(window: KodiEndWindow | undefined, { properties, lists, focus }: Params): boolean {
  if (window === undefined) return false;
  Object.assign(window.properties, properties);
  for (const [control, rows] of Object.entries((lists ?? {}) as Record<string, Partial<Row>[]>)) {
    const known = new Map(window.lists[control]?.map((row) => [row.id, row]));
    window.lists[control] = rows.map((row) => {
      const found = row.label === undefined ? known.get(row.id ?? '') : (row as Row);
      if (found === undefined) throw new Error(`the row ${row.id} was never sent`);
      return found;
    });
  }
  if (typeof focus === 'number') window.focus = focus;
  return true;
}
