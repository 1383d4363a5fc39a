import {
  type Row,
  type RowCondition,
  rowsOf,
  type Setting,
  type SettingsPage,
} from '../../src/settings/index.ts';

/** docs/settings.md: every setting with its id, default and bounds, in the order of the settings dialog. */
export function settingsPage(pages: readonly SettingsPage[]): string {
  const rows = rowsOf(pages);
  const sections = pages.map(({ label, groups }) => {
    const parts = groups.map((group) => {
      const shown = group.shownWhen === undefined ? '' : `\n${conditionText(group.shownWhen, rows)}\n`;
      const table = group.rows.map((each) => row(each, rows)).join('\n');
      return `### ${group.label}\n${shown}\n| id | setting | default | what it does |\n|---|---|---|---|\n${table}\n`;
    });
    return `## ${label}\n\n${parts.join('\n')}`;
  });
  return `# Settings

Generated from \`src/settings/table.ts\` by \`npm run format\`. In Kodi they are in the add-on's settings, in this order; for the terminal they
are a JSON object of ids and values. A number outside of its bounds counts as the nearest bound. What is *advanced* is shown once Kodi's
settings level, at the bottom left of the dialog, says so. Lists have dialogs of their own, behind the buttons.

${sections.join('\n')}`;
}

function row(each: Row, rows: readonly Row[]): string {
  const more = each.level === 'advanced' || each.level === 'expert' ? ` *(${each.level})*` : '';
  const shown = each.shownWhen === undefined ? '' : ` ${conditionText(each.shownWhen, rows)}`;
  const id = each.type === 'action' ? 'button' : `\`${each.id}\``;
  const cells = [id, each.label + more, each.type === 'action' ? '' : defaultOf(each), each.help + shown];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function conditionText({ setting, is }: RowCondition, rows: readonly Row[]): string {
  const about = rows.find(({ id }) => id === setting);
  const label = about?.label ?? setting;
  if (typeof is === 'object') return `Shown once "${label}" is entered.`;
  if (typeof is === 'boolean') return `Shown while "${label}" is ${is ? 'on' : 'off'}.`;
  const option = about?.type === 'choice' ? about.options.find(({ value }) => value === is) : undefined;
  return `Shown while "${label}" is "${option?.label ?? is}".`;
}

function defaultOf(setting: Setting): string {
  switch (setting.type) {
    case 'text':
      return setting.default === '' ? '(empty)' : `\`${setting.default}\``;
    case 'choice':
      return `\`${setting.default}\` (${setting.options.map(({ value }) => `\`${value}\``).join(', ')})`;
    case 'boolean':
      return setting.default ? 'on' : 'off';
    case 'integer':
      return `${setting.default} (${setting.min} to ${setting.max})`;
  }
}
