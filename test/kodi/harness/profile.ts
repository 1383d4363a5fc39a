// Kodi's home folder, as a person would have left it: add-ons installed, settings made.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Settings {
  /** Kodi's own settings by id. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Settings of add-ons: by add-on id, then by setting id. */
  readonly addonSettings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Folders with what add-ons have kept, by add-on id; their settings may be among it. They are copied. */
  readonly addonData?: Readonly<Record<string, string>>;
}

export interface ProfileOptions extends Settings {
  /** Folders with an addon.xml. They are copied, installed and enabled. */
  readonly addons?: readonly string[];
  /** Further XML inside advancedsettings.xml. */
  readonly advanced?: string;
  /** Places that the person has added in the file manager: address by name. */
  readonly sources?: Readonly<Record<string, string>>;
  /** Kodi's further profiles, by name. They share the databases of the first, and with them its installed add-ons. */
  readonly others?: Readonly<Record<string, Settings>>;
  /** Debug level in Kodi's log. */
  readonly debug?: boolean;
}

export interface Ports {
  readonly rpc: number;
  readonly events: number;
}

export interface Profile {
  readonly folder: string;
  readonly addonIds: readonly string[];
}

/** Makes the folder. `template`: databases of a Kodi that has run before; without it Kodi makes new ones. */
export async function makeProfile(
  options: ProfileOptions,
  ports: Ports,
  template: string | undefined,
): Promise<Profile> {
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const userdata = join(folder, '.kodi', 'userdata');
  await mkdir(userdata, { recursive: true });
  if (template !== undefined) await cp(template, join(userdata, 'Database'), { recursive: true });
  await writeSettings(userdata, options, ports);
  await writeFile(join(userdata, 'advancedsettings.xml'), advancedSettings(options, ports));
  if (options.sources !== undefined)
    await writeFile(join(userdata, 'sources.xml'), sourcesFile(options.sources));
  const others = Object.entries(options.others ?? {});
  for (const [name, own] of others) await writeSettings(join(userdata, 'profiles', name), own, ports);
  if (others.length > 0)
    await writeFile(join(userdata, 'profiles.xml'), profilesFile(others.map(([name]) => name)));
  const addonIds = [];
  for (const addon of options.addons ?? []) addonIds.push(await installAddon(addon, folder));
  return { folder, addonIds };
}

/** Kodi's own and those of its add-ons, in one of its profiles. */
async function writeSettings(userdata: string, own: Settings, ports: Ports): Promise<void> {
  await mkdir(userdata, { recursive: true });
  await writeFile(join(userdata, 'guisettings.xml'), kodiSettings(own.settings ?? {}, ports));
  for (const [id, values] of Object.entries(own.addonSettings ?? {})) {
    await mkdir(join(userdata, 'addon_data', id), { recursive: true });
    await writeFile(join(userdata, 'addon_data', id, 'settings.xml'), settingsFile(values));
  }
  for (const [id, folder] of Object.entries(own.addonData ?? {}))
    await cp(folder, join(userdata, 'addon_data', id), { recursive: true });
}

const PREFIX = 'slipstream-kodi-';

/** A test run that was killed leaves its profiles; its Kodi is gone by then. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

async function installAddon(source: string, profile: string): Promise<string> {
  const declaration = await readFile(join(source, 'addon.xml'), 'utf8');
  const id = /<addon\b[^>]*?\sid\s*=\s*["']([\w.-]+)["']/.exec(declaration)?.[1];
  if (id === undefined) throw new Error(`${source}/addon.xml names no add-on id.`);
  await cp(source, join(profile, '.kodi', 'addons', id), { recursive: true });
  return id;
}

function kodiSettings(own: Readonly<Record<string, string>>, ports: Ports): string {
  return settingsFile({
    // The event server's switch starts JSON-RPC over TCP as well; both are for this machine only.
    'services.esenabled': 'true',
    'services.esallinterfaces': 'false',
    'services.esport': String(ports.events),
    'services.webserver': 'false',
    'services.zeroconf': 'false',
    'services.upnp': 'false',
    'services.airplay': 'false',
    'services.wsdiscovery': 'false',
    'addons.unknownsources': 'true',
    'general.addonupdates': '2',
    'general.addonnotifications': 'false',
    'weather.addon': '',
    'screensaver.mode': '',
    'lookandfeel.enablerssfeeds': 'false',
    ...own,
  });
}

function advancedSettings({ advanced = '', debug = false }: ProfileOptions, ports: Ports): string {
  return `<advancedsettings version="1.0">
<loglevel>${debug ? 1 : 0}</loglevel>
<jsonrpc><compactoutput>true</compactoutput><tcpport>${ports.rpc}</tcpport></jsonrpc>
${advanced}
</advancedsettings>
`;
}

/** Kodi and its add-ons keep settings in the same form. */
function settingsFile(values: Readonly<Record<string, string>>): string {
  const rows = Object.entries(values).map(
    ([id, value]) => `<setting id="${xml(id)}">${xml(value)}</setting>\n`,
  );
  return `<settings version="2">\n${rows.join('')}</settings>\n`;
}

function sourcesFile(sources: Readonly<Record<string, string>>): string {
  const places = Object.entries(sources).map(
    ([name, path]) => `<source><name>${xml(name)}</name><path pathversion="1">${xml(path)}</path></source>\n`,
  );
  return `<sources><files><default pathversion="1"></default>\n${places.join('')}</files></sources>\n`;
}

function profilesFile(others: readonly string[]): string {
  const profile = (id: number, name: string, folder: string, owns: boolean) =>
    `<profile><id>${id}</id><name>${xml(name)}</name><directory pathversion="1">${xml(folder)}</directory>
<hasdatabases>${owns}</hasdatabases><canwritedatabases>true</canwritedatabases>
<hassources>${owns}</hassources><canwritesources>true</canwritesources><lockmode>0</lockmode></profile>
`;
  const rows = others.map((name, index) => profile(index + 1, name, `profiles/${name}/`, false));
  return `<profiles><lastloaded>0</lastloaded><useloginscreen>false</useloginscreen><autologin>0</autologin>
<nextIdProfile>${others.length + 1}</nextIdProfile>
${profile(0, 'Master user', 'special://masterprofile/', true)}${rows.join('')}</profiles>
`;
}

function xml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
