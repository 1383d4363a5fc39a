import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { type Site, siteOf } from '../../tools/package/catalogue.ts';
import { type AddonPackage, readFiles, sha256, text } from '../../tools/package/files.ts';
import { NODE_BINARIES } from '../../tools/package/platforms.ts';
import { repositoryAddon } from '../../tools/package/repository.ts';
import { RUNTIME_ID, runtimeAddon } from '../../tools/package/runtime.ts';
import { serve } from '../support/http-server.ts';
import { installed, isInstalled } from './installed.ts';
import { answer, WINDOWS, windowIs } from './remote-control.ts';
import { ADDON, ADDON_ID, quitsClean, SINTEL, SINTEL_SCRIPT, type Stage, stage } from './slipstream.ts';
import { deeds, witnessedAddon } from './witness.ts';

const root = await rootOrSkip('the runtime add-on in a real Kodi 21');

const BASE = NODE_BINARIES['linux-x64']!;

/** The runtime add-on as `npm run package` makes it, around the Node.js that runs the tests. */
async function runtimePackage(node = BASE.node): Promise<AddonPackage> {
  const program = await readFile(process.execPath);
  const pinned = { ...BASE, node, kodi: 'all', sha256: sha256(program), size: program.length };
  const read = (_name: string, _version: string, path: string) =>
    Promise.resolve(path === pinned.file ? program : new TextEncoder().encode('licences'));
  return runtimeAddon('linux-x64', pinned, { icon: await readFile(join(ADDON, 'icon.png')), read });
}

/** The built add-on, as that version. */
async function addonPackage(version: string): Promise<AddonPackage> {
  const files = new Map(await readFiles(ADDON));
  const declared = Buffer.from(files.get('addon.xml')?.content ?? '').toString();
  files.set('addon.xml', text(declared.replace(/(<addon [^>]*?version=")[^"]*/, `$1${version}`)));
  return { id: ADDON_ID, version, folder: ADDON_ID, files };
}

/** As a folder that Kodi's installer leaves: nothing in it is executable. */
async function unpacked({ files }: AddonPackage): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-runtime-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, { content }] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content, { mode: 0o644 });
  }
  return folder;
}

/** Only stored: to compress a Node.js takes half a minute. */
function stored({ id, files }: AddonPackage): Uint8Array {
  const entries = [...files].map(([path, { content }]) => [`${id}/${path}`, content]);
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, { level: 0 });
}

interface Repository {
  /** The add-on that names it. */
  readonly folder: string;
  /** From now on it has these. */
  publish(...packages: readonly AddonPackage[]): void;
}

async function startRepository(): Promise<Repository> {
  let site: Site = new Map();
  const baseUrl = await serve((request, response) => {
    const file = site.get((request.url ?? '').slice(1));
    response.writeHead(file === undefined ? 404 : 200, { 'content-length': file?.length ?? 0 });
    response.end(request.method === 'HEAD' ? undefined : file);
  });
  const icon = await readFile(join(ADDON, 'icon.png'));
  return {
    folder: await unpacked(repositoryAddon({ baseUrl, icon, licence: new Uint8Array() })),
    publish: (...packages) => {
      site = siteOf(packages.map((each) => ({ ...each, zip: stored(each) })));
    },
  };
}

const isUp = async ({ kodi }: Stage, dialog: string) => {
  const name = `Window.IsActive(${dialog})`;
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true;
};

const until = (s: Stage, dialog: string, up: boolean) =>
  s.kodi.until(`${dialog} is ${up ? 'up' : 'gone'}`, async () => (await isUp(s, dialog)) === up || undefined);

/** Reads the box that says what is wrong, and closes it. */
async function readBox(s: Stage, says: string): Promise<void> {
  await until(s, 'okdialog', true);
  await s.kodi.until(`it says "${says}"`, async () => {
    // Kodi writes the text once the box is up.
    return (await s.kodi.infoLabel('Control.GetLabel(9)')).includes(says) || undefined;
  });
  await s.kodi.rpc('Input.Select');
  await until(s, 'okdialog', false);
  await s.nothingLeft();
  await s.kodi.until(
    'the playback lock is free',
    async () => (await s.kodi.homeProperty('slipstream.starting')) === '' || undefined,
  );
}

/** Answers the question in which these words are. */
async function yes(s: Stage, words: string): Promise<void> {
  await s.kodi.until(`it asks "${words}"`, async () => {
    const asks =
      (await isUp(s, 'yesnodialog')) && (await s.kodi.infoLabel('Control.GetLabel(9)')).includes(words);
    return asks || undefined;
  });
  await s.kodi.builtin('SendClick(yesnodialog,11)');
}

/** Has Kodi read the repository, until it knows that it holds this add-on. */
async function isOffered({ kodi }: Stage, id: string): Promise<void> {
  await kodi.builtin('UpdateAddonRepos');
  await kodi.until('Kodi knows the repository', async () => {
    const found = (await kodi.rpc('Addons.GetAddons', { installed: false })) as {
      addons?: { addonid: string }[];
    };
    return found.addons?.find(({ addonid }) => addonid === id);
  });
}

/** Has Kodi read the repository, and waits until it has installed that version by itself. */
async function isUpdated({ kodi }: Stage, id: string, version: string): Promise<void> {
  await kodi.builtin('UpdateAddonRepos');
  await kodi.until(
    `${id} ${version} is installed`,
    async () => (await installed(kodi, id)) === version || undefined,
  );
}

/** Waits until a film plays; gives the process that serves it. */
async function playsOnTheRuntime(s: Stage): Promise<number> {
  await s.kodi.until('it plays', async () => (await s.raised()).length === 3 || undefined, 60_000);
  const [service] = s.engines('service');
  const command = s.kodi.processes().find(({ pid }) => pid === service)?.command;
  expect(command).toContain(`${RUNTIME_ID}/bin/node`);
  return service!;
}

/** Waits until another service than that of `before` is there. */
const servesAnew = ({ kodi, engines }: Stage, before: number | undefined) =>
  kodi.until('another service runs', async () => {
    const [service, ...others] = engines('service');
    const isOther = service !== undefined && service !== before && others.length === 0;
    return (isOther && (await kodi.homeProperty('svc.proxy_token')) !== '') || undefined;
  });

async function stops(s: Stage): Promise<void> {
  await s.kodi.player.stop();
  await s.nothingLeft();
}

async function playsOn(s: Stage, seconds: number): Promise<void> {
  const end = ((await s.kodi.player.position()) ?? 0) + seconds;
  await s.kodi.until('it plays on', async () => ((await s.kodi.player.position()) ?? 0) > end || undefined);
}

describe.skipIf(!root)('a system without Node.js', () => {
  test('plays on the runtime add-on as Kodi has installed it', async () => {
    const runtime = await unpacked(await runtimePackage());
    const s = await stage(root!, { kodi: { node: null, addons: [ADDON, runtime] } });
    await s.open(`/play?${SINTEL}`);
    await playsOnTheRuntime(s);
    await stops(s);
    await quitsClean(s.kodi);
  });

  test('has Kodi install it during a play, and update it during the next', async () => {
    const repository = await startRepository();
    repository.publish(await runtimePackage('24.0.0'));
    const s = await stage(root!, {
      unready: true,
      kodi: { node: null, addons: [ADDON, repository.folder], settings: { 'general.addonupdates': '0' } },
    });
    const { kodi } = s;
    await isOffered(s, RUNTIME_ID);
    await s.open(`/play?${SINTEL}`);
    await yes(s, 'Slipstream runs on Node.js');
    await yes(s, 'Node.js for Slipstream');
    const service = await playsOnTheRuntime(s);

    repository.publish(await runtimePackage('24.0.1'));
    await isUpdated(s, RUNTIME_ID, '24.0.1');
    await playsOn(s, 3);
    expect(s.engines('service')).toEqual([service]);
    await stops(s);
    await s.open(`/play?${SINTEL}`);
    expect(await playsOnTheRuntime(s)).toBe(service);
    await stops(s);
    await quitsClean(kodi);
  });

  test.each([
    { first: 'the runtime', order: [RUNTIME_ID, ADDON_ID] },
    { first: 'the add-on', order: [ADDON_ID, RUNTIME_ID] },
  ])('plays between and after updates of both, of which $first comes first', async ({ order }) => {
    const repository = await startRepository();
    const versions = new Map([
      [ADDON_ID, '0.1.0'],
      [RUNTIME_ID, '24.0.0'],
    ]);
    const publish = async () => {
      const addon = await addonPackage(versions.get(ADDON_ID)!);
      repository.publish(addon, await runtimePackage(versions.get(RUNTIME_ID)));
    };
    await publish();
    const s = await stage(root!, {
      unready: true,
      kodi: { node: null, addons: [repository.folder], settings: { 'general.addonupdates': '0' } },
    });
    await isOffered(s, ADDON_ID);
    await s.kodi.builtin(`InstallAddon(${ADDON_ID})`);
    await answer(s.kodi, 'Yes');
    await isInstalled(s.kodi, ADDON_ID);
    await windowIs(s.kodi, WINDOWS.home);
    await s.open(`/play?${SINTEL}`);
    await yes(s, 'Slipstream runs on Node.js');
    await yes(s, 'Node.js for Slipstream');
    let service = await playsOnTheRuntime(s);
    await stops(s);
    for (const id of order) {
      const version = id === ADDON_ID ? '0.2.0' : '24.0.1';
      versions.set(id, version);
      await publish();
      await isUpdated(s, id, version);
      // A service that runs goes on with the runtime of before.
      if (id === ADDON_ID) await servesAnew(s, service);
      await s.open(`/play?${SINTEL}`);
      service = await playsOnTheRuntime(s);
      await stops(s);
    }
    await quitsClean(s.kodi);
  });

  test('asks once whether to install it, and says what to do when the person goes back', async () => {
    const s = await stage(root!, { unready: true, kodi: { node: null, addons: [await witnessedAddon()] } });
    await s.kodi.until(
      'the service has found none',
      async () => (await s.kodi.log()).includes('there is no Node.js yet') || undefined,
    );
    await s.open(`/play?${SINTEL}`);
    await until(s, 'yesnodialog', true);
    await s.kodi.rpc('Input.Back');
    await readBox(s, 'Slipstream cannot work without Node.js.');
    await s.kodi.builtin(`RunScript(${ADDON_ID},${SINTEL_SCRIPT})`);
    await readBox(s, 'Slipstream cannot work without Node.js.');
    // Nothing but that question has told of it.
    expect((await deeds(s.kodi)).filter((deed) => 'notification' in deed)).toEqual([]);
    await quitsClean(s.kodi);
  });

  test('tells when Kodi cannot install it', async () => {
    const s = await stage(root!, { unready: true, kodi: { node: null, addons: [ADDON] } });
    await s.open(`/play?${SINTEL}`);
    await yes(s, 'Slipstream runs on Node.js');
    await readBox(s, 'Kodi has not installed');
    await quitsClean(s.kodi);
  });
});
