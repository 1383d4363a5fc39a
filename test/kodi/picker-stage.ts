import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { PickerRow, PickerView } from '../../src/host/port.ts';
import { bundleEngine } from '../../tools/build/engine.ts';
import type { Root } from '../../tools/debian-root/index.ts';
import { ROOT } from '../../tools/lib/paths.ts';
import { type Kodi, type KodiOptions, startKodi } from './harness/index.ts';
import type { Order } from './picker-engine.ts';
import { ADDON_ID } from './slipstream.ts';

const ADDON = join(import.meta.dirname, '../../addon');
const ENGINE = join(import.meta.dirname, 'picker-engine.ts');
export const PICKER_XML = 'resources/skins/Default/1080i/slipstream-picker.xml';

export interface PickerStage {
  readonly kodi: Kodi;
  /** Shows the view: opens the list, or changes it. Resolves once the host has carried that out. */
  show(view: PickerView): Promise<void>;
  order(order: Order): void;
  /** What became of the list or the question, once it is over: {"chosen"} or {"aborted"}. */
  outcome(): Promise<unknown>;
  /** The name of the focused row, and how many rows are above it on the screen. */
  focused(): Promise<[string, number]>;
  /** Waits until the list shows so many rows. */
  rowsAre(count: number): Promise<void>;
}

/** A real Kodi with the add-on's host and windows, and an engine that does what the test says. */
export async function pickerStage(
  root: Root,
  { without, ...options }: KodiOptions & { readonly without?: string } = {},
): Promise<PickerStage> {
  const addon = await addonWithEngine(without);
  const heard: Record<string, unknown>[] = [];
  let engine: Socket | undefined;
  const server = createServer((socket) => {
    engine = socket;
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (line) => {
      heard.push(JSON.parse(line) as Record<string, unknown>);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    engine?.destroy();
    server.close();
  });
  const kodi = await startKodi(root, { addons: [addon], ...options });
  onTestFinished(() => kodi.kill());
  const { port } = server.address() as { port: number };
  await kodi.rpc('Player.Open', { item: { file: `plugin://${ADDON_ID}/play?port=${port}` } });
  await kodi.until('the engine is there', () => Promise.resolve(engine));
  const order = (words: Order) => engine!.write(`${JSON.stringify(words)}\n`);
  const take = async (what: string, name: string) => {
    const found = await kodi.until(what, () => Promise.resolve(heard.find((words) => name in words)));
    heard.splice(heard.indexOf(found), 1);
    return found;
  };
  return {
    kodi,
    order,
    show: async (view) => {
      order({ view });
      await take('the list is shown', 'shown');
    },
    outcome: () =>
      kodi.until('the list is over', () =>
        Promise.resolve(heard.find((words) => 'chosen' in words || 'aborted' in words)),
      ),
    focused: async () => [
      await kodi.infoLabel('Container(50).ListItem.Label'),
      Number(await kodi.infoLabel('Container(50).Position')),
    ],
    rowsAre: async (count) => {
      await kodi.until(
        `there are ${count} rows`,
        async () => (await kodi.infoLabel('Container(50).NumItems')) === String(count) || undefined,
      );
    },
  };
}

async function addonWithEngine(without: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-picker-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(ADDON, folder, { recursive: true });
  if (without !== undefined) await rm(join(folder, without));
  const { code } = await bundleEngine(ROOT, ENGINE, 'test');
  await mkdir(join(folder, 'resources/engine'));
  await writeFile(join(folder, 'resources/engine/engine.cjs'), code);
  return folder;
}

/** A row that passed, with a little of everything. */
export function row(id: string, more: Partial<PickerRow> = {}): PickerRow {
  return {
    id,
    name: `Sintel.2010.1080p.BluRay.x264-${id}`,
    badges: [{ kind: 'resolution', text: '1080p' }],
    size: '2.1 GB',
    bitrate: '19 Mbit/s',
    age: '3 d',
    indexer: 'Example',
    group: id,
    languages: 'EN',
    downloaded: false,
    pack: false,
    rejections: [],
    details: [{ label: 'Container', value: 'MKV' }],
    ...more,
  };
}

export function view(rows: readonly PickerRow[], more: Partial<PickerView> = {}): PickerView {
  const passed = rows.filter(({ rejections }) => rejections.length === 0).length;
  return {
    title: 'Sintel (2010)',
    summary: `${passed} of ${rows.length} releases pass your filters`,
    order: 'Resolution, then size',
    status: '',
    searching: false,
    rows,
    ...more,
  };
}
