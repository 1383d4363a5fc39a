import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, type Sandbox, SPRING } from '../../sandbox/index.ts';
import { pause } from '../../src/io/wait.ts';
import { type Kodi, startKodi } from '../../test/kodi/harness/index.ts';
import { ensureRoot, type Root } from '../../tools/debian-root/index.ts';
import { lineIsIdle, startFilm } from './start-film.ts';

const ADDON = join(import.meta.dirname, '../../dist/plugin.video.slipstream');
/** Milliseconds. */
const TIMEOUT_MS = 90_000;

export interface KodiBench {
  readonly kodi: Kodi;
  readonly sandbox: Sandbox;
}

/** The backend's kind, and how fast its line to the provider is. */
export interface BackendLine {
  readonly dialect: Dialect;
  readonly megabits: number;
}

/** A Kodi with our add-on and a film that is ready at the backend, on a line that is idle; all of it ends with the work. */
export async function withKodi<T>(
  { dialect, megabits }: BackendLine,
  work: (theatre: KodiBench) => Promise<T>,
): Promise<T> {
  const root = await ensureRoot();
  if ('skip' in root) throw new Error(root.skip);
  const sandbox = await startFilm(dialect, megabits);
  const kodi = await kodiWith(root, sandbox).catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  try {
    await kodi.until(
      'the service is up',
      async () => (await kodi.homeProperty('svc.proxy_port')) || undefined,
    );
    await lineIsIdle(sandbox);
    return await work({ kodi, sandbox });
  } finally {
    await kodi.kill();
    await sandbox.close();
  }
}

async function kodiWith(root: Root, sandbox: Sandbox): Promise<Kodi> {
  const settings = { ...sandbox.settings, auto_select: 'true', cache_minutes: '0' };
  return startKodi(root, {
    addons: [ADDON, await resolver()],
    addonSettings: { 'plugin.video.slipstream': settings },
    // The times of the opening and of the first picture are in the log.
    debug: true,
  });
}

/** The call that plays the film. */
export const OUR_CALL = `plugin://plugin.video.slipstream/play?${new URLSearchParams({
  type: SPRING.kind,
  title: SPRING.title,
  year: String(SPRING.year),
  imdb: SPRING.imdb,
}).toString()}`;

const RESOLVER = 'plugin.video.resolver';

/** An add-on that hands Kodi the address that it was called with, as ours hands over its own. */
async function resolver(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-resolver-'));
  await writeFile(
    join(folder, 'addon.xml'),
    `<addon id="${RESOLVER}" name="Resolver" version="1.0.0" provider-name="nobody">
<requires><import addon="xbmc.python" version="3.0.0"/></requires>
<extension point="xbmc.python.pluginsource" library="main.py"><provides>video</provides></extension>
<extension point="xbmc.addon.metadata"><platform>all</platform></extension>
</addon>`,
  );
  await writeFile(
    join(folder, 'main.py'),
    `import sys
from urllib.parse import unquote
import xbmcgui
import xbmcplugin
item = xbmcgui.ListItem(path=unquote(sys.argv[2][1:]))
item.setMimeType('video/x-matroska')
item.setContentLookup(False)
xbmcplugin.setResolvedUrl(int(sys.argv[1]), True, item)
`,
  );
  return folder;
}

/** The call that plays the same file without us. */
export function webdavCall({ backend, jobs }: Sandbox): string {
  const { folder = '', name } = jobs()[0]!;
  const path = ['content', 'movies', folder, `${name}.mkv`].map(encodeURIComponent).join('/');
  const login = Buffer.from(`${backend.username}:${backend.password}`).toString('base64');
  const url = `${backend.webdavUrl}/${path}|Authorization=${encodeURIComponent(`Basic ${login}`)}`;
  return `plugin://${RESOLVER}/?${encodeURIComponent(url)}`;
}

/** Milliseconds from the opening of the resolved address to the first picture, as Kodi's log has them. */
export async function firstPicture({ kodi }: KodiBench, call: string): Promise<number> {
  await kodi.rpc('Player.Open', { item: { file: call } });
  const opened = await logged(kodi, /VideoPlayer::OpenFile/);
  return (await logged(kodi, /OnAVStart/)) - opened;
}

/** When a line came into Kodi's log. */
function logged(kodi: Kodi, line: RegExp): Promise<number> {
  const look = async () => {
    const found = (await kodi.log()).split('\n').find((each) => line.test(each));
    return found === undefined ? undefined : Date.parse(found.slice(0, '2026-01-01 00:00:00.000'.length));
  };
  return kodi.until(`the log has ${line.source}`, look, TIMEOUT_MS);
}

/** Seconds by which the player's time stays behind the clock's, so many milliseconds after now, each in turn. */
export async function stallSeconds(kodi: Kodi, ends: readonly number[]): Promise<readonly number[]> {
  const { signal } = new AbortController();
  const position = async () => (await kodi.player.position()) ?? Number.NaN;
  const [from, began] = [await position(), performance.now()];
  const found: number[] = [];
  for (const end of ends) {
    await pause(began + end - performance.now(), signal);
    found.push((performance.now() - began) / 1000 - ((await position()) - from));
  }
  return found;
}
