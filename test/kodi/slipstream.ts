import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/index.ts';
import type { Root } from '../../tools/debian-root/index.ts';
import { type Kodi, type KodiOptions, startKodi } from './harness/index.ts';

/** The add-on as `npm run build` makes it. */
export const ADDON = join(import.meta.dirname, '../../dist/plugin.video.slipstream');
export const ADDON_ID = 'plugin.video.slipstream';

export const SINTEL = 'type=movie&title=Sintel&year=2010&imdb=tt1727587&tmdb=45745';
/** The same for RunScript: arguments, percent-encoded as TMDbHelper sends them. */
export const SINTEL_SCRIPT = 'meta_play,type=movie,title=Sintel,year=2010,imdb=tt1727587,tmdb=45745';

/** Of the properties by which the two processes meet, those that belong to one playback. */
const PLAYBACK_PROPERTIES = ['svc.active', 'svc.stream_url', 'svc.playing'] as const;

/** What the proxy says of a session. */
export interface SessionStatus {
  readonly counters: {
    readonly bytesIn: number;
    readonly requests: number;
    readonly retries: number;
    readonly filled: number;
  };
  readonly trouble?: { readonly kind: string };
  /** Bytes in memory, and those of them that come next for the player. */
  readonly buffer: { readonly used: number; readonly ahead: number };
  readonly fills: readonly { readonly first: number; readonly last: number }[];
  readonly decisions: readonly { readonly what: string }[];
}

export interface Stage {
  readonly kodi: Kodi;
  readonly sandbox: Sandbox;
  /** Opens a plugin:// path; gives once Kodi has answered the call, which may be before or after the resolve. */
  open(path: string): Promise<void>;
  /** The properties of the current playback that are set. */
  raised(): Promise<string[]>;
  /** The proxy's sessions, as its /status tells them. */
  sessions(): Promise<readonly SessionStatus[]>;
  /** Our engine processes: plugin or service. */
  engines(command: 'plugin' | 'service'): number[];
  /** See ourWindowIsUp. */
  windowIsUp(): Promise<void>;
  /** Another Kodi with the profile of this one, which was crashed, and with the same sandbox. */
  startAgain(): Promise<Stage>;
  /** Waits until no plugin process, dialog or property of a playback is left. */
  nothingLeft(): Promise<void>;
}

export interface StageOptions extends SandboxOptions {
  /** Settings of ours that differ from the sandbox's. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly kodi?: KodiOptions;
  /** Do not wait until the proxy is published. */
  readonly unready?: boolean;
}

/** A real Kodi with the built add-on in it, set up for a sandbox of its own. All ends with the test. */
export async function stage(root: Root, options: StageOptions = {}): Promise<Stage> {
  const sandbox = await startSandbox({ jobDuration: options.jobDuration ?? 300, ...options });
  onTestFinished(() => sandbox.close());
  const kodi = await startKodi(root, {
    addons: [ADDON],
    // Each play asks anew: what one has found is nothing that the next one may rely on here.
    addonSettings: {
      [ADDON_ID]: { ...sandbox.settings, auto_select: 'true', cache_minutes: '0', ...options.settings },
    },
    ...options.kodi,
  });
  onTestFinished(() => kodi.kill());
  if (options.unready !== true) await proxyIsPublished(kodi);
  return withKodi(kodi, sandbox);
}

const proxyIsPublished = (kodi: Kodi) =>
  kodi.until('the proxy is published', async () => (await kodi.homeProperty('svc.proxy_token')) || undefined);

/** Waits for it: while Kodi puts a window up, it loses a key, and dies of another play. */
export async function ourWindowIsUp(kodi: Kodi): Promise<void> {
  await kodi.until('a window of ours is in front', async () => {
    const ids = await dialogIds(kodi);
    return (ids.length === 1 && ids.every(isOurs)) || undefined;
  });
}

/** Waits for it. */
export async function noDialogIsUp(kodi: Kodi): Promise<void> {
  await kodi.until('no dialog', async () => (await dialogIds(kodi)).length === 0 || undefined);
}

function withKodi(kodi: Kodi, sandbox: Sandbox): Stage {
  const engines = (command: string) =>
    kodi
      .processes()
      .filter((process) => process.command.includes(`engine.cjs ${command}`))
      .map(({ pid }) => pid);
  const raised = async () => {
    const values = await Promise.all(PLAYBACK_PROPERTIES.map((name) => kodi.homeProperty(name)));
    return PLAYBACK_PROPERTIES.filter((_name, index) => values[index] !== '');
  };
  return {
    kodi,
    sandbox,
    open: async (path) => {
      await kodi.rpc('Player.Open', { item: { file: `plugin://${ADDON_ID}${path}` } });
    },
    raised,
    sessions: async () => {
      const address = `http://127.0.0.1:${await kodi.homeProperty('svc.proxy_port')}/status`;
      const authorization = `Bearer ${await kodi.homeProperty('svc.proxy_token')}`;
      const answer = await fetch(address, { headers: { authorization, connection: 'close' } });
      return ((await answer.json()) as { sessions: SessionStatus[] }).sessions;
    },
    engines,
    windowIsUp: () => ourWindowIsUp(kodi),
    startAgain: async () => {
      const next = await kodi.startAgain();
      onTestFinished(() => next.kill());
      await proxyIsPublished(next);
      return withKodi(next, sandbox);
    },
    nothingLeft: async () => {
      await kodi.until('no plugin process', () =>
        Promise.resolve(engines('plugin').length === 0 || undefined),
      );
      await noDialogIsUp(kodi);
      await kodi.until('no property of a playback', async () => (await raised()).length === 0 || undefined);
    },
  };
}

/**
 * Kodi quits by itself and leaves nothing behind. Its own log tells when a script held it up for 5 s; the seconds
 * themselves are a figure of the benchmarks.
 */
export async function quitsClean(kodi: Kodi): Promise<void> {
  expect(await kodi.stop()).toMatchObject({ exitStatus: 0, left: [] });
  expect(await kodi.log()).not.toContain("didn't stop in 5 seconds");
}

const BUSY_DIALOG = 10138;
const OK_DIALOG = 12002;
/** Windows that a script makes. */
const FIRST_SCRIPT_WINDOW = 13000;

/** Whether the window with this number is one of ours. */
export const isOurs = (window: number): boolean => window >= FIRST_SCRIPT_WINDOW;

/** Modal windows that are up: ours, Kodi's busy dialog, its failure box. */
async function dialogIds(kodi: Kodi): Promise<number[]> {
  const { currentwindow } = (await kodi.rpc('GUI.GetProperties', { properties: ['currentwindow'] })) as {
    currentwindow: { id: number };
  };
  const ours = isOurs(currentwindow.id) ? [currentwindow.id] : [];
  const conditions = [BUSY_DIALOG, OK_DIALOG].map((id) => `Window.IsActive(${id})`);
  const active = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: conditions })) as Record<
    string,
    boolean
  >;
  return [...ours, ...[BUSY_DIALOG, OK_DIALOG].filter((id) => active[`Window.IsActive(${id})`])];
}
