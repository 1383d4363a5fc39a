import { RETIRED_STRINGS, rowsOf, type SettingsPage } from '../../src/settings/index.ts';

/** Kodi's strings.po of the source language: the texts stand in msgid, msgstr stays empty. */
export function stringsPo(addonId: string, pages: readonly SettingsPage[]): string {
  const entries = numberedStrings(pages).map(
    ([id, text]) => `msgctxt "#${id}"\nmsgid "${escapePo(text)}"\nmsgstr ""\n`,
  );
  return [header(addonId), ...entries].join('\n');
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
