// Makes the root: debootstrap fetched into the cache, then apt inside. Nothing is installed on the host.
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Root } from './enter.ts';
import { exitStatus, NAMESPACES, spawnInRoot } from './enter.ts';
import { DPKG_EXCLUDES, PACKAGES, SUITE } from './packages.ts';
import type { RootPaths } from './paths.ts';
import type { Archives } from './sources.ts';
import { hostArchives } from './sources.ts';

/** An archive that swallows packets is given up within minutes, not within the hour. */
const PATIENCE = [
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=20',
  '-o',
  'Acquire::https::Timeout=20',
];

/** A newly made or interrupted root is made from scratch; one that was complete only gets what is missing. */
export async function install(paths: RootPaths): Promise<void> {
  const archives = hostArchives();
  mkdirSync(paths.mount, { recursive: true });
  writeFileSync(paths.log, '');
  if (!existsSync(paths.bootstrapped)) await bootstrap(paths, archives);
  configure(paths, archives);
  await installPackages(paths);
  linkClockFace(paths);
}

async function bootstrap(paths: RootPaths, archives: Archives): Promise<void> {
  rmSync(paths.fs, { recursive: true, force: true });
  const kit = await fetchKit(paths);
  const keyring = join(kit, 'usr/share/keyrings/debian-archive-keyring.gpg');
  const command = [join(kit, 'usr/sbin/debootstrap'), '--variant=minbase', `--keyring=${keyring}`];
  await logged(paths, [...command, SUITE, paths.fs, archives.main], {
    DEBOOTSTRAP_DIR: join(kit, 'usr/share/debootstrap'),
    PATH: `${kit}/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
  });
  writeFileSync(paths.bootstrapped, '');
}

/**
 * debootstrap and Debian's keys, unpacked but not installed. apt's lists are kept in the cache: the host's own may be
 * missing or older than the archive.
 */
async function fetchKit(paths: RootPaths): Promise<string> {
  const { kit } = paths;
  rmSync(kit, { recursive: true, force: true });
  for (const folder of ['lists/partial', 'cache/archives/partial', 'bin'])
    mkdirSync(join(kit, folder), { recursive: true });
  const places = [`Dir::State::Lists=${kit}/lists`, `Dir::Cache=${kit}/cache`, 'APT::Sandbox::User=root'];
  const apt = ['apt-get', '-q', ...PATIENCE, ...places.flatMap((place) => ['-o', place])];
  await logged(paths, [...apt, 'update'], {}, kit);
  await logged(paths, [...apt, 'download', 'debootstrap', 'debian-archive-keyring'], {}, kit);
  for (const name of readdirSync(kit).filter((file) => file.endsWith('.deb')))
    await logged(paths, ['dpkg-deb', '-x', join(kit, name), kit]);
  rmSync(join(kit, 'lists'), { recursive: true });
  writeFileSync(join(kit, 'bin', 'wget'), WGET, { mode: 0o755 });
  return kit;
}

/** debootstrap downloads with `wget … -O FILE URL`, which a bare Debian lacks; apt brings a downloader of its own. */
const WGET = `#!/bin/sh
while [ "$1" != -O ]; do shift; done
exec /usr/lib/apt/apt-helper -q -o APT::Sandbox::User=root download-file "$3" "$2"
`;

function configure({ fs }: RootPaths, { main, security }: Archives): void {
  const sources = [
    `deb ${main} ${SUITE} main`,
    `deb ${main} ${SUITE}-updates main`,
    `deb ${security} ${SUITE}-security main`,
  ];
  writeFileSync(join(fs, 'etc/apt/sources.list'), lines(sources));
  writeFileSync(join(fs, 'etc/apt/apt.conf.d/00host'), lines(hostAptSettings()));
  writeFileSync(join(fs, 'etc/dpkg/dpkg.cfg.d/01slim'), lines(['force-unsafe-io', ...DPKG_EXCLUDES]));
  // Packages must not start services while they are installed.
  writeFileSync(join(fs, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  writeFileSync(join(fs, 'etc/machine-id'), '0123456789abcdef0123456789abcdef\n');
}

/** How the host's apt reaches its archives (proxies, no checking of dates) holds inside as well. */
function hostAptSettings(): string[] {
  const dump = spawnSync('apt-config', ['dump'], { encoding: 'utf8' }).stdout;
  return dump.split('\n').filter((line) => /^Acquire::(?:Check-|https?::).*"[^"]+";$/.test(line));
}

async function installPackages(paths: RootPaths): Promise<void> {
  const apt = ['apt-get', '-q', '-y', '--no-install-recommends', ...PATIENCE];
  await inside(paths, ['dpkg', '--configure', '-a']);
  await inside(paths, [...apt, 'update']);
  await inside(paths, [...apt, 'upgrade']);
  await inside(paths, [...apt, 'install', ...PACKAGES]);
  await inside(paths, ['apt-get', 'clean']);
}

/** Kodi's skin links to this face in a folder above the one that the font package keeps it in. */
function linkClockFace({ fs }: RootPaths): void {
  const folder = join(fs, 'usr/share/fonts/truetype/roboto/unhinted');
  const face = join(folder, 'Roboto-Thin.ttf');
  if (!existsSync(face)) symlinkSync('RobotoTTF/Roboto-Thin.ttf', face);
}

function inside(paths: RootPaths, command: string[]): Promise<void> {
  const root: Root = { paths };
  return toLog(paths, command, (log) =>
    spawnInRoot(root, command, {
      persistent: true,
      stdio: ['ignore', log, log],
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    }),
  );
}

/** Runs a command of the host's; it dies with us, so that it cannot go on behind a lock that is free again. */
function logged(paths: RootPaths, command: string[], env: NodeJS.ProcessEnv = {}, cwd = '/'): Promise<void> {
  return toLog(paths, command, (log) =>
    spawn('setpriv', [...NAMESPACES, '--mount-proc', ...command], {
      cwd,
      env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
      stdio: ['ignore', log, log],
    }),
  );
}

async function toLog(
  { log }: RootPaths,
  command: string[],
  start: (log: number) => ReturnType<typeof spawn>,
): Promise<void> {
  appendFileSync(log, `\n$ ${command.join(' ')}\n`);
  const file = openSync(log, 'a');
  try {
    const status = await exitStatus(start(file));
    if (status !== 0) throw new Error(`${command[0] ?? ''} ended with ${String(status)}; see ${log}`);
  } finally {
    closeSync(file);
  }
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
