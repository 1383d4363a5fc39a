import { arch, platform, release } from 'node:os';
import { writeTextFile } from '../../io/store.ts';
import { openFailures } from '../../library/index.ts';
import { redact } from '../../log/index.ts';
import { listFormats } from '../../release/index.ts';
import { openPathMappings, readSourceList, SETTINGS, type Settings } from '../../settings/index.ts';
import type { SetupContext } from '../action.ts';
import { isSecret, storedSettings } from '../asking/stored-settings.ts';
import { addressText, maskHosts, pathText } from './mask-addresses.ts';
import { failureText } from './show-failure.ts';

declare const SLIPSTREAM_VERSION: string;

/** Writes what a helper needs to know, and nothing that they must not, into a file, and shows where and what. */
export async function exportReport(context: SetupContext): Promise<void> {
  const { host, signal } = context;
  const text = await reportText(context);
  const path = await writeTextFile(host.dataFolder, 'slipstream-report', text);
  const about = `Written to ${path}. It holds no key, no password and no address, but the titles that failed; look for yourself before you pass it on.`;
  await host.questions.show({ title: 'Report', text: `${about}\n\n${text}` }, signal);
}

async function reportText({ host, log }: SetupContext): Promise<string> {
  const folder = host.dataFolder;
  const settings = await storedSettings(host);
  const { entries, problems } = await readSourceList(folder, log);
  const mappings = (await openPathMappings(folder, log).read()) ?? [];
  const formats = await listFormats(folder, log);
  const failures = (await openFailures(folder).read()) ?? [];
  const hidden = [
    ...addressesOf(settings),
    ...entries.map(({ url }) => url),
    ...mappings.map(({ to }) => to),
  ];
  const sections = [
    ['Slipstream', versionLines()],
    ['Settings', SETTINGS.map((setting) => `${setting.id}: ${settingText(setting.id, settings)}`)],
    [
      'Further sources',
      [
        ...entries.map(
          ({ kind, enabled, url, apiKey }) =>
            `${kind}, ${enabled ? 'on' : 'off'}, ${addressText(url)}, key ${isEntered(apiKey)}`,
        ),
        ...problems,
      ],
    ],
    ['Path mappings', mappings.map(({ to }) => pathText(to))],
    [
      'Custom formats',
      formats.map(
        ({ format }) => `${format.name}: ${format.score}${format.enabled === false ? ', off' : ''}`,
      ),
    ],
    ['Last failures', failures.map((failure) => `${failureText(failure)}\n`)],
  ] as const;
  const text = sections
    .map(([title, lines]) => `== ${title} ==\n${lines.length === 0 ? 'none' : lines.join('\n')}\n`)
    .join('\n');
  // Secrets first: an address that is one as a whole is known by all of it.
  return maskHosts(redact(text), hidden);
}

function versionLines(): string[] {
  const version = typeof SLIPSTREAM_VERSION === 'string' ? SLIPSTREAM_VERSION : 'from its source';
  return [
    `version ${version}`,
    `Node.js ${process.version}`,
    `${platform()} ${release()}, ${arch()}`,
    `written ${new Date().toISOString()}`,
  ];
}

const isEntered = (value: unknown): string => (value === '' ? 'empty' : 'entered');

/** What stands in a setting, without what is nobody's business. */
function settingText(id: keyof Settings, settings: Settings): string {
  const setting = SETTINGS.find((each) => each.id === id);
  const value = settings[id];
  if (setting === undefined || isSecret(setting) || id.endsWith('_username')) return isEntered(value);
  if (id.endsWith('_url')) return addressText(String(value));
  if (id.endsWith('_folder')) return pathText(String(value));
  return String(value);
}

const addressesOf = (settings: Settings): string[] =>
  SETTINGS.filter(({ id }) => id.endsWith('_url') || id.endsWith('_folder')).map(({ id }) =>
    String(settings[id]),
  );
