import type { Setting } from '../../src/settings/index.ts';
import type { Category } from './categories.ts';

/** docs/settings.md: every setting with its id, default and bounds, in the order of the settings dialog. */
export function settingsPage(categories: readonly Category[], settings: readonly Setting[]): string {
  const sections = categories.map(({ id, label }) => {
    const rows = settings.filter(({ category }) => category === id).map(row);
    return `## ${label}\n| id | setting | default | what it does |\n|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Settings

Generated from \`src/settings/table.ts\` by \`npm run format\`. In Kodi they are in the add-on's settings; for the terminal they are a JSON
object of ids and values. A number outside of its bounds counts as the nearest bound.

${sections.join('\n')}`;
}

function row(setting: Setting): string {
  const cells = [`\`${setting.id}\``, setting.label, defaultOf(setting), setting.help];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
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
