import type {
  ActionRow,
  Row,
  RowCondition,
  Setting,
  SettingLevel,
  SettingsGroup,
  SettingsPage,
} from '../../src/settings/index.ts';

/** Kodi's settings levels; a person sees the settings up to the chosen one, which is "standard" at first. */
const LEVELS: Readonly<Record<SettingLevel, number>> = { basic: 0, standard: 1, advanced: 2, expert: 3 };

/** Kodi's settings.xml, format version 1 (Kodi 19 and later; protocols.md §10.7): one section, a category per page. */
export function settingsXml(addonId: string, pages: readonly SettingsPage[]): string {
  const categories = pages.map((page) => categoryXml(addonId, page)).join('');
  return `<?xml version="1.0" encoding="utf-8" standalone="yes"?>
<settings version="1">
  <section id="${addonId}">
${categories}  </section>
</settings>
`;
}

function categoryXml(addonId: string, page: SettingsPage): string {
  const groups = page.groups.map((group, index) => groupXml(group, index + 1, { addonId, page })).join('');
  return `    <category id="${page.id}" label="${page.stringId}">
${groups}    </category>
`;
}

interface Place {
  readonly addonId: string;
  readonly page: SettingsPage;
}

function groupXml(group: SettingsGroup, number: number, place: Place): string {
  const rows = group.rows.map((row) => rowXml(row, group, place)).join('');
  return `      <group id="${number}" label="${group.stringId}">
${rows}      </group>
`;
}

function rowXml(row: Row, group: SettingsGroup, place: Place): string {
  const lines = [
    `<level>${LEVELS[row.level ?? 'basic']}</level>`,
    ...(row.type === 'action' ? [dataXml(row, place)] : [defaultXml(row), ...constraintsXml(row)]),
    ...dependenciesXml([group.shownWhen, row.shownWhen]),
    controlXml(row),
  ];
  const inner = lines.map((line) => `          ${line}\n`).join('');
  const type = row.type === 'text' || row.type === 'choice' ? 'string' : row.type;
  return `        <setting id="${row.id}" type="${type}" label="${row.stringId}" help="${row.stringId + 1}">
${inner}        </setting>
`;
}

/** What a button runs, and the page that it comes back to. */
function dataXml({ action, service }: ActionRow, { addonId, page }: Place): string {
  const query = new URLSearchParams({ ...(service !== undefined && { service }), back: page.id });
  return `<data>${escapeXml(`RunPlugin(plugin://${addonId}/setup/${action}?${query.toString()})`)}</data>`;
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

/** Several dependencies of one type must all hold. */
function dependenciesXml(conditions: readonly (RowCondition | undefined)[]): string[] {
  const dependencies = conditions.filter((each) => each !== undefined).map(dependencyXml);
  return dependencies.length === 0 ? [] : [`<dependencies>${dependencies.join('')}</dependencies>`];
}

function dependencyXml({ setting, is }: RowCondition): string {
  const about = `<dependency type="visible" setting="${setting}"`;
  if (typeof is === 'object') return `${about} operator="!is"></dependency>`;
  return `${about} operator="is">${escapeXml(String(is))}</dependency>`;
}

function controlXml(row: Row): string {
  if (row.type === 'boolean') return '<control type="toggle"/>';
  // Kodi stores what has been entered when the dialog closes, and hands out what it has stored (kodi.md §6).
  if (row.type === 'action') return '<control type="button" format="action"><close>true</close></control>';
  if (row.type === 'choice') {
    return `<control type="list" format="string"><heading>${row.stringId}</heading></control>`;
  }
  const hidden = row.type === 'text' && row.secret === true ? '<hidden>true</hidden>' : '';
  const format = row.type === 'integer' ? 'integer' : 'string';
  return `<control type="edit" format="${format}"><heading>${row.stringId}</heading>${hidden}</control>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
