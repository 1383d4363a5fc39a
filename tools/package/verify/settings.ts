import type { AddonPackage, Files } from '../files.ts';
import { childrenOf, descendants, type Element } from './element.ts';
import { englishStrings } from './strings.ts';

/** The types of setting that Kodi 21 knows, with the controls that can show each; "button" acts for any. */
const CONTROLS: Readonly<Record<string, readonly string[]>> = {
  boolean: ['toggle'],
  integer: ['edit', 'spinner', 'slider', 'list'],
  number: ['edit', 'spinner', 'slider', 'list'],
  string: ['edit', 'list', 'spinner', 'button'],
  path: ['edit', 'list', 'button'],
  action: ['button'],
  'list[string]': ['list'],
  'list[integer]': ['list'],
};
/** Basic, standard, advanced, expert. */
const LEVELS = ['0', '1', '2', '3'];

/** settings.xml in format version 1. Kodi drops a setting that it does not understand, in silence. */
export function settingsFaults({ id, files }: AddonPackage, root: Element): string[] {
  const sections = childrenOf(root, 'section');
  const settings = descendants(root).filter(({ name }) => name === 'setting');
  const categories = descendants(root).filter(({ name }) => name === 'category');
  const faults = [
    ...repeated('setting', settings),
    ...repeated('category', categories),
    ...settings.flatMap(settingFaults),
    ...textFaults(root, files),
    ...dependencyFaults(root, settings),
  ];
  if (root.name !== 'settings' || root.attributes['version'] !== '1')
    faults.push('it is not in format version 1');
  if (sections.length !== 1 || sections[0]?.attributes['id'] !== id)
    faults.push(`there must be one section, called ${id}`);
  return faults.map((fault) => `settings.xml: ${fault}`);
}

function repeated(what: string, elements: readonly Element[]): string[] {
  const ids = elements.map(({ attributes }) => attributes['id'] ?? '');
  return ids
    .filter((one, index) => one === '' || ids.indexOf(one) !== index)
    .map((one) => (one === '' ? `a ${what} has no id` : `the ${what} ${one} is there twice`));
}

function settingFaults(setting: Element): string[] {
  const { id = '', type = '' } = setting.attributes;
  const [level] = childrenOf(setting, 'level');
  const [control] = childrenOf(setting, 'control');
  const controls = CONTROLS[type];
  const faults: string[] = [];
  if (controls === undefined) faults.push(`${id} is of no known type: "${type}"`);
  if (!LEVELS.includes(level?.text ?? '')) faults.push(`${id} has no level from 0 to 3`);
  if (control === undefined) faults.push(`${id} has no control`);
  else if (controls?.includes(control.attributes['type'] ?? '') === false)
    faults.push(`${id}: a ${type} is not shown by ${control.attributes['type'] ?? 'nothing'}`);
  if (type !== 'action' && childrenOf(setting, 'default').length !== 1) faults.push(`${id} has no default`);
  return [...faults, ...defaultFaults(setting)];
}

function defaultFaults(setting: Element): string[] {
  const { id = '', type = '' } = setting.attributes;
  const [fallback] = childrenOf(setting, 'default');
  const value = fallback?.text ?? '';
  const options = descendants(setting).filter(({ name }) => name === 'option');
  const isWrong =
    (type === 'boolean' && value !== 'true' && value !== 'false') ||
    (type === 'integer' && !/^-?\d+$/.test(value)) ||
    (type === 'string' && options.length > 0 && !options.some(({ text }) => text === value));
  return isWrong ? [`${id} cannot be "${value}" by default`] : [];
}

/** Labels, helps and headings are numbers of texts that are there. */
function textFaults(root: Element, files: Files): string[] {
  const known = englishStrings(files);
  const numbers = descendants(root).flatMap(({ name, attributes, text }) => [
    ...['label', 'help'].flatMap((key) => attributes[key] ?? []),
    ...(name === 'heading' && text !== '' ? [text] : []),
  ]);
  return [...new Set(numbers)]
    .filter((number) => number !== '' && isOurs(number) && !known.has(Number(number)))
    .map((number) => `there is no text #${number}`);
}

/** A number below 30000 is a text of Kodi's own, such as "Yes". What is no number is no text at all. */
const isOurs = (number: string): boolean => !/^\d+$/.test(number) || Number(number) >= 30_000;

/** What a setting depends on is there. */
function dependencyFaults(root: Element, settings: readonly Element[]): string[] {
  const ids = new Set(settings.map(({ attributes }) => attributes['id']));
  return descendants(root)
    .filter(({ name }) => name === 'dependency' || name === 'condition')
    .flatMap(({ attributes }) => attributes['setting'] ?? [])
    .filter((wanted) => !ids.has(wanted))
    .map((wanted) => `something depends on ${wanted}, which is no setting`);
}
