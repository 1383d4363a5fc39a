import { METADATA } from './addon-xml.ts';
import { childrenOf, type Element } from './element.ts';

/** What Kodi 21 calls the systems (its CAddonInfoBuilder). One that it does not know hides the add-on everywhere. */
const PLATFORMS = new Set(
  [
    'all linux linux-armv7 linux-aarch64 linux-i686 linux-x86_64 freebsd',
    'android android-armv7 android-aarch64 android-i686 android-x86_64',
    'windx windows windows-i686 windows-x86_64 windows-arm64 windowsstore',
    'osx osx64 osx-x86_64 osxarm64 osx-arm64 darwin_embedded ios ios-aarch64 tvos tvos-aarch64',
  ].flatMap((names) => names.split(' ')),
);

/** The longest text of each kind, in characters, as Kodi's repository has it; "lang" says that it is one per language. */
const TEXTS: Readonly<Record<string, { readonly longest: number; readonly lang: boolean }>> = {
  summary: { longest: 1500, lang: true },
  description: { longest: 2500, lang: true },
  disclaimer: { longest: 1500, lang: true },
  news: { longest: 1500, lang: false },
  platform: { longest: 1500, lang: false },
  license: { longest: 1500, lang: false },
  website: { longest: 1500, lang: false },
  source: { longest: 1500, lang: false },
  forum: { longest: 1500, lang: false },
  email: { longest: 1500, lang: false },
};
const REQUIRED = ['summary', 'description', 'platform', 'license', 'assets'];
const LANGUAGE = /^[a-z]{2,3}(?:_[A-Z]{2}(?:@\S+)?)?$/;

/** The metadata of addon.xml: what Kodi shows of the add-on, and where it offers it. */
export function metadataFaults(addon: Element): string[] {
  const found = childrenOf(addon, 'extension').filter(({ attributes }) =>
    METADATA.test(attributes['point'] ?? ''),
  );
  const [metadata] = found;
  if (metadata === undefined || found.length > 1)
    return [`addon.xml has ${found.length} metadata extensions, not 1`];
  const missing = REQUIRED.filter((name) => childrenOf(metadata, name).length === 0);
  const platforms = childrenOf(metadata, 'platform').flatMap(({ text }) => text.split(/\s+/));
  return [
    ...missing.map((name) => `the metadata has no <${name}>`),
    ...metadata.children.flatMap(textFaults),
    ...repeatedFaults(metadata),
    ...englishFaults(metadata),
    ...platforms.filter((name) => !PLATFORMS.has(name)).map((name) => `Kodi knows no platform "${name}"`),
  ];
}

function textFaults({ name, attributes, text }: Element): string[] {
  if (name === 'assets') return [];
  const rule = TEXTS[name];
  if (rule === undefined) return [`the metadata holds an unknown <${name}>`];
  const faults: string[] = [];
  if (text === '') faults.push(`<${name}> is empty`);
  if (text.length > rule.longest)
    faults.push(`<${name}> has ${text.length} characters, ${rule.longest} are allowed`);
  if (rule.lang && !LANGUAGE.test(attributes['lang'] ?? ''))
    faults.push(`<${name}> says no language such as en_GB`);
  return faults;
}

function repeatedFaults(metadata: Element): string[] {
  const keys = metadata.children.map(({ name, attributes }) =>
    `<${name}> ${attributes['lang'] ?? ''}`.trim(),
  );
  return keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${key} is there twice`);
}

function englishFaults(metadata: Element): string[] {
  return ['summary', 'description'].flatMap((name) => {
    const texts = childrenOf(metadata, name);
    const english = texts.some(({ attributes }) => attributes['lang'] === 'en_GB');
    return english || texts.length === 0 ? [] : [`there is no English <${name}>, which Kodi falls back to`];
  });
}
