import { RETIRED_STRINGS, rowsOf, type SettingsPage } from '../../src/settings/index.ts';
import type { CatalogueEntry } from '../../src/texts/index.ts';

/**
 * Kodi's strings.po of the source language: the texts stand in msgid, msgstr stays empty. Kodi reads the numbered
 * entries alone; the others are the engine's, and stand here so that a translator finds all texts in one file.
 */
export function stringsPo(
  addonId: string,
  pages: readonly SettingsPage[],
  catalogue: readonly (readonly [id: string, entry: CatalogueEntry])[] = [],
): string {
  const numbered = numberedStrings(pages).map(([id, text]) => poEntry(`#${id}`, text));
  return [header(addonId), ...numbered, ...catalogue.map(([id, entry]) => poEntry(id, entry))].join('\n');
}

function poEntry(context: string, entry: CatalogueEntry): string {
  const start = `msgctxt "${context}"\nmsgid "${escapePo(typeof entry === 'string' ? entry : entry.one)}"\n`;
  return typeof entry === 'string'
    ? `${start}msgstr ""\n`
    : `${start}msgid_plural "${escapePo(entry.other)}"\nmsgstr[0] ""\nmsgstr[1] ""\n`;
}

/** Every string with its number, ascending. @throws when a number is used twice, or is one that was given up. */
export function numberedStrings(
  pages: readonly SettingsPage[],
  retired: readonly number[] = RETIRED_STRINGS,
): [id: number, text: string][] {
  const rows = rowsOf(pages);
  const strings: [number, string][] = [
    ...pages.map(({ stringId, label }): [number, string] => [stringId, label]),
    ...pages.flatMap(({ groups }) =>
      groups.map(({ stringId, label }): [number, string] => [stringId, label]),
    ),
    ...rows.flatMap(({ stringId, label, help }): [number, string][] => [
      [stringId, label],
      [stringId + 1, help],
    ]),
    ...rows.flatMap((row) =>
      row.type === 'choice'
        ? row.options.map(({ stringId, label }): [number, string] => [stringId, label])
        : [],
    ),
  ];
  const seen = new Set<number>();
  for (const [id, text] of strings) {
    if (seen.has(id)) throw new Error(`string number ${id} is used twice, the second time for "${text}"`);
    if (retired.includes(id)) throw new Error(`string number ${id} is retired, but used for "${text}"`);
    seen.add(id);
  }
  return strings.sort(([a], [b]) => a - b);
}

const header = (addonId: string) => `# Kodi Media Center language file
# Addon id: ${addonId}
# Generated from src/settings/table.ts by npm run build.
msgid ""
msgstr ""
"Project-Id-Version: ${addonId}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Language: en_GB\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`;

function escapePo(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
