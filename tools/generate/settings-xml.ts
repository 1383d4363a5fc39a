import type { Setting } from '../../src/settings/index.ts';
import type { Category } from './categories.ts';

/** Kodi's settings.xml, format version 1 (Kodi 19 and later): one section, a category per page, one group in each. */
export function settingsXml(
  addonId: string,
  categories: readonly Category[],
  settings: readonly Setting[],
): string {
  const pages = categories.map((category) => categoryXml(category, settings)).join('');
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<settings version="1">
  <section id="${addonId}">
${pages}  </section>
</settings>
`;
}

function categoryXml(category: Category, settings: readonly Setting[]): string {
  const rows = settings
    .filter((setting) => setting.category === category.id)
    .map((setting) => settingXml(setting, category.level))
    .join('');
  if (rows === '') return '';
  return `    <category id="${category.id}" label="${category.stringId}">
      <group id="1">
${rows}      </group>
    </category>
`;
}

function settingXml(setting: Setting, level: number): string {
  const lines = [
    `<level>${level}</level>`,
    defaultXml(setting),
    ...constraintsXml(setting),
    controlXml(setting),
  ];
  const inner = lines.map((line) => `          ${line}\n`).join('');
  const type = setting.type === 'text' || setting.type === 'choice' ? 'string' : setting.type;
  return `        <setting id="${setting.id}" type="${type}" label="${setting.stringId}" help="${setting.stringId + 1}">
${inner}        </setting>
`;
}

function defaultXml(setting: Setting): string {
  const value = escapeXml(String(setting.default));
  return value === '' ? '<default/>' : `<default>${value}</default>`;
}

/** Without "allowempty" Kodi refuses to store an emptied text, so what starts empty may also become empty again. */
function constraintsXml(setting: Setting): string[] {
  if (setting.type === 'integer') {
    return [
      `<constraints><minimum>${setting.min}</minimum><step>1</step><maximum>${setting.max}</maximum></constraints>`,
    ];
  }
  if (setting.type === 'choice') {
    const options = setting.options.map(
      ({ value, stringId }) => `<option label="${stringId}">${escapeXml(value)}</option>`,
    );
    return [`<constraints><options>${options.join('')}</options></constraints>`];
  }
  if (setting.type === 'text' && setting.default === '') {
    return ['<constraints><allowempty>true</allowempty></constraints>'];
  }
  return [];
}

function controlXml(setting: Setting): string {
  if (setting.type === 'boolean') return '<control type="toggle"/>';
  if (setting.type === 'choice') {
    return `<control type="list" format="string"><heading>${setting.stringId}</heading></control>`;
  }
  const hidden = setting.type === 'text' && setting.secret === true ? '<hidden>true</hidden>' : '';
  const format = setting.type === 'integer' ? 'integer' : 'string';
  return `<control type="edit" format="${format}"><heading>${setting.stringId}</heading>${hidden}</control>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
