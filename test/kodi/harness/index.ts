// A real Kodi 21 under a virtual screen, with add-ons of ours, driven by tests.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { poll } from '../../../src/io/wait.ts';
import type { Bind, InnerProcess, Root } from '../../../tools/debian-root/index.ts';
import { runInRoot } from '../../../tools/debian-root/index.ts';
import { sendBuiltin } from './event-server.ts';
import { Guest } from './guest.ts';
import { Player } from './player.ts';
import { freeTcpPort, freeUdpPort } from './ports.ts';
import type { Ports, Profile, ProfileOptions } from './profile.ts';
import { makeProfile } from './profile.ts';
import type { Notifications } from './rpc.ts';
import { Rpc } from './rpc.ts';
import { SystemBus } from './system-bus.ts';
import { databaseTemplate } from './template.ts';

const HOME_WINDOW = 10000;
/** Exit statuses above this one tell of a signal. */
const SIGNALLED = 128;
const START_MS = 60_000;
const QUIT_MS = 20_000;
/** How long one look for the home window may take. */
const LOOK_MS = 2_000;
/** How long what Kodi started may take to go after it. */
const AFTERLIFE_MS = 1_000;

export interface KodiOptions extends ProfileOptions {
  /** The Node.js binary to offer as /usr/bin/node; by default the one that runs this. Null: none. */
  readonly node?: string | null;
  /** Further files and folders of the host to show inside. */
  readonly binds?: readonly Bind[];
  /** Environment of Kodi and of what it starts. */
  readonly env?: Readonly<Record<string, string>>;
  /** WIDTHxHEIGHT of the screen; 1280x720 by default. */
  readonly size?: string;
  /** Whether `sleep` and `wake` may be called. */
  readonly sleeps?: boolean;
}

/** What a Kodi has from its start to its removal, across its restarts. */
interface Surroundings {
  readonly root: Root;
  readonly options: KodiOptions;
  readonly profile: Profile;
  readonly ports: Ports;
  readonly bus: SystemBus | undefined;
}

export interface Stopped {
  readonly seconds: number;
  /** Kodi's own; 128 and more for a signal, undefined when it had to be killed from outside. */
  readonly exitStatus: number | undefined;
  /** The command lines of what still ran a second after Kodi had ended. */
  readonly left: readonly string[];
}

/** Starts a Kodi in a profile of its own and resolves when its home window is open. Always `kill` it in the end. */
export async function startKodi(root: Root, options: KodiOptions = {}): Promise<Kodi> {
  const template = await databaseTemplate(root, async (keep) => {
    const first = await Kodi.start(root, {}, undefined);
    try {
      await first.quit();
      await keep(first.profile.folder);
    } finally {
      await first.kill();
    }
  });
  return Kodi.start(root, options, template);
}

/** Kodi has ended by a signal in the middle of a switch of profiles. */
export class KodiCrashed extends Error {
  /** What Kodi had logged since the switch began. */
  readonly log: string;

  constructor(status: number, log: string) {
    super(`Kodi has ended with status ${status} while it switched profiles. ${log.slice(-500)}`);
    this.log = log;
  }
}

export class Kodi {
  readonly profile: Profile;
  /** Where its JSON-RPC (TCP) and event server (UDP) listen on loopback. */
  readonly ports: Ports;
  readonly player = new Player((method, params) => this.rpc(method, params));
  private readonly surroundings: Surroundings;
  private readonly guest: Guest;
  private rpcClient: Rpc | undefined;
  private lastLog = '';

  static async start(root: Root, options: KodiOptions, template: string | undefined): Promise<Kodi> {
    const ports = { rpc: await freeTcpPort(), events: await freeUdpPort() };
    const profile = await makeProfile(options, ports, template);
    const bus = options.sleeps === true ? await SystemBus.start() : undefined;
    return Kodi.startIn({ root, options, profile, ports, bus });
  }

  private static async startIn(surroundings: Surroundings): Promise<Kodi> {
    const kodi = new Kodi(surroundings);
    try {
      await kodi.waitForHome();
      return kodi;
    } catch (error) {
      const reason = (error as Error).message;
      const log = await kodi.log();
      throw new Error(`Kodi did not come up: ${reason}\n${log.slice(-3000)}`, { cause: error });
    } finally {
      if (!kodi.rpcClient) await kodi.kill();
    }
  }

  private constructor(surroundings: Surroundings) {
    const { root, options, profile, ports, bus } = surroundings;
    const { node = process.execPath, binds = [], env = {}, size = '1280x720' } = options;
    const nodeBind = node === null ? [] : [{ from: node, to: '/usr/bin/node', readOnly: true }];
    this.surroundings = surroundings;
    this.profile = profile;
    this.ports = ports;
    this.guest = new Guest(root, profile, {
      size,
      env: { ...bus?.env, ...env },
      binds: [...nodeBind, ...(bus?.binds ?? []), ...binds],
    });
  }

  /** One JSON-RPC call; rejects when Kodi answers with an error. */
  rpc(method: string, params: unknown = {}): Promise<unknown> {
    return this.client.call(method, params);
  }

  get notifications(): Notifications {
    return this.client.notifications;
  }

  /** Runs a builtin, such as `RunScript(plugin.video.slipstream,a=b)`. Kodi does not answer: look for the effect. */
  builtin(text: string): Promise<void> {
    return sendBuiltin(this.ports.events, text);
  }

  /** How Kodi has ended by itself: its exit status, 128 and more for a signal. Undefined while it runs. */
  get exitStatus(): number | undefined {
    return this.guest.exit;
  }

  /** A property of the home window; empty when it is not set. */
  homeProperty(name: string): Promise<string> {
    return this.infoLabel(`Window(${HOME_WINDOW}).Property(${name})`);
  }

  async infoLabel(label: string): Promise<string> {
    const labels = (await this.rpc('XBMC.GetInfoLabels', { labels: [label] })) as Record<string, string>;
    return labels[label] ?? '';
  }

  /** Whether a window of Kodi's is up, by Kodi's name of it. */
  async isActive(window: string): Promise<boolean> {
    const condition = `Window.IsActive(${window})`;
    const answer = await this.rpc('XBMC.GetInfoBooleans', { booleans: [condition] });
    return (answer as Record<string, boolean>)[condition] === true;
  }

  /** Looks every 50 ms until `look` gives something; rejects, naming `what`, when it does not within `ms` (20 s). */
  async until<T>(what: string, look: () => Promise<T | undefined>, ms = 20_000): Promise<T> {
    const signal = new AbortController().signal;
    const found = await poll(look, { signal, interval: () => 50, deadline: ms });
    if (found !== undefined) return found;
    throw new Error(`Waited ${ms} ms in vain: ${what}\n${(await this.log()).slice(-3000)}`);
  }

  /**
   * Has Kodi switch to another of its profiles; until its home window is open again, on a connection of its own.
   * @throws KodiCrashed
   */
  async switchProfile(name: string): Promise<void> {
    const before = this.client;
    const { length } = await this.log();
    const since = async () => (await this.log()).slice(length);
    await this.rpc('Profiles.LoadProfile', { profile: name, prompt: false });
    await before.closed;
    // Asked nothing meanwhile: of the server that ends, and of a window that is being unloaded, comes no answer.
    await this.until(
      'the home window is loaded anew',
      async () => {
        if ((this.exitStatus ?? 0) > SIGNALLED) throw new KodiCrashed(this.exitStatus!, await since());
        this.guest.assertAlive();
        return (await since()).includes('Loading skin file: Home.xml') || undefined;
      },
      START_MS,
    );
    await this.waitForHome();
  }

  /** The machine is about to sleep: Kodi tells its add-ons, keeps what plays, and stops it. Needs `sleeps`. */
  async sleep(): Promise<void> {
    await this.power(true);
  }

  /** The machine has woken up: Kodi plays again what it has kept, and tells its add-ons. */
  async wake(): Promise<void> {
    await this.power(false);
  }

  private async power(sleeps: boolean): Promise<void> {
    const mark = this.notifications.mark();
    this.surroundings.bus?.prepareForSleep(sleeps);
    await this.notifications.wait(sleeps ? 'System.OnSleep' : 'System.OnWake', { since: mark });
  }

  /** Writes what the screen shows as a PNG. */
  async screenshot(path: string): Promise<void> {
    const grab = ['ffmpeg', '-v', 'error', '-f', 'x11grab', '-i', this.guest.display ?? '', '-frames:v', '1'];
    const { stdout } = await runInRoot(this.surroundings.root, [
      ...grab,
      '-f',
      'image2pipe',
      '-c:v',
      'png',
      '-',
    ]);
    await writeFile(path, stdout);
  }

  /** kodi.log as it is now, or as it was when Kodi had ended. */
  async log(): Promise<string> {
    const path = join(this.profile.folder, '.kodi', 'temp', 'kodi.log');
    this.lastLog = await readFile(path, 'utf8').catch(() => this.lastLog);
    return this.lastLog;
  }

  /** Kodi and everything that it and its add-ons started. */
  processes(): InnerProcess[] {
    return this.guest.processes();
  }

  /** Asks Kodi to quit as a person would, tells how that went, and removes everything. */
  async stop(): Promise<Stopped> {
    try {
      return await this.quit();
    } finally {
      await this.kill();
    }
  }

  /** Ends Kodi alone by a signal and tells what it left running. The profile stays, for `startAgain`. */
  async crash(signal: NodeJS.Signals = 'SIGKILL'): Promise<Stopped> {
    return this.watchEnd(() => {
      this.guest.killKodi(signal);
    });
  }

  /** Another Kodi in the profile of this one, which has ended. `kill` it in the end, as this one. */
  async startAgain(): Promise<Kodi> {
    this.rpcClient?.close();
    await this.guest.end();
    return Kodi.startIn(this.surroundings);
  }

  /** Ends everything at once and removes the profile. May be called at any time and again. */
  async kill(): Promise<void> {
    this.rpcClient?.close();
    await this.guest.end();
    await this.log();
    await this.surroundings.bus?.close();
    await rm(this.profile.folder, { recursive: true, force: true });
  }

  /** Quits Kodi but leaves the profile in place. */
  async quit(): Promise<Stopped> {
    return this.watchEnd(async () => {
      // Kodi may be gone before its answer is.
      await this.rpc('Application.Quit').catch(() => undefined);
    });
  }

  private async watchEnd(end: () => Promise<void> | void): Promise<Stopped> {
    const started = performance.now();
    const look = async <T>(value: () => T | undefined, ms: number) =>
      poll(() => Promise.resolve(value()), {
        signal: new AbortController().signal,
        interval: () => 20,
        deadline: ms,
      });
    await end();
    const exitStatus = await look(() => this.guest.exit, QUIT_MS);
    const seconds = (performance.now() - started) / 1000;
    const isEmpty = () => (this.processes().length === 0 ? true : undefined);
    const empty = exitStatus !== undefined && (await look(isEmpty, AFTERLIFE_MS));
    const left = empty ? [] : this.processes().map(({ command }) => command);
    return { seconds, exitStatus, left };
  }

  private get client(): Rpc {
    if (!this.rpcClient) throw new Error('Kodi is not up.');
    return this.rpcClient;
  }

  /** Each try on a connection of its own: while Kodi switches profiles it takes connections that it never serves. */
  private async waitForHome(): Promise<void> {
    this.rpcClient = undefined;
    this.rpcClient = await this.until(
      'JSON-RPC answers, and the home window is open',
      async () => {
        this.guest.assertAlive();
        const rpc = await Rpc.connect(this.ports.rpc).catch(() => undefined);
        if (rpc === undefined || (await isHome(rpc))) return rpc;
        rpc.close();
        return undefined;
      },
      START_MS,
    );
  }
}

async function isHome(rpc: Rpc): Promise<boolean> {
  const window = rpc.call('GUI.GetProperties', { properties: ['currentwindow'] }, { patience: LOOK_MS });
  const { currentwindow } = (await window.catch(() => ({}))) as { currentwindow?: { id?: number } };
  return currentwindow?.id === HOME_WINDOW;
}
