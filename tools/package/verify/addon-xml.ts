import type { AddonPackage, Files } from '../files.ts';
import { childrenOf, type Element } from './element.ts';

/** What Kodi sorts versions by: numbers, and "~beta1" for what comes before a release. */
const VERSION = /^\d+(?:\.\d+){1,3}(?:~[a-z]+\d*)?$/;
const ID = /^[a-z0-9]+(?:[.-][a-z0-9]+)+$/;

export const METADATA = /^(?:xbmc|kodi)\.addon\.metadata$/;
/** The extension points that we use; Kodi drops an add-on with one that it does not know. */
const POINTS = [
  'xbmc.python.pluginsource',
  'xbmc.python.library',
  'xbmc.python.module',
  'xbmc.service',
  'xbmc.addon.repository',
];

/** The head of addon.xml: who it is, what it needs, what it extends. */
export function addonXmlFaults(
  { id, version, files }: AddonPackage,
  addon: Element,
  ids: ReadonlySet<string>,
): string[] {
  const { attributes } = addon;
  const faults = [...importFaults(addon, ids), ...extensionFaults(addon, files)];
  if (addon.name !== 'addon') faults.push(`addon.xml is about <${addon.name}>, not about <addon>`);
  if (attributes['id'] !== id)
    faults.push(`addon.xml names the add-on ${attributes['id'] ?? 'nothing'}, its folder ${id}`);
  if (!ID.test(id)) faults.push(`${id} is no id: small letters, digits, dots`);
  if (attributes['version'] !== version)
    faults.push(`addon.xml says version ${attributes['version'] ?? 'nothing'}, its zip ${version}`);
  if (!VERSION.test(version)) faults.push(`${version} is no version that Kodi can compare`);
  for (const name of ['name', 'provider-name'])
    if ((attributes[name] ?? '').trim() === '') faults.push(`addon.xml has no ${name}`);
  const unknown = addon.children.filter(({ name }) => name !== 'requires' && name !== 'extension');
  for (const { name } of unknown) faults.push(`addon.xml holds an unknown <${name}>`);
  return faults;
}

function importFaults(addon: Element, ids: ReadonlySet<string>): string[] {
  return childrenOf(addon, 'requires').flatMap((requires) =>
    requires.children.flatMap(({ name, attributes }) => {
      const { addon: wanted = '', version = '', optional = 'false' } = attributes;
      if (name !== 'import') return [`<requires> holds an unknown <${name}>`];
      if (!VERSION.test(version)) return [`the import of ${wanted} names no version`];
      if (wanted.startsWith('xbmc.') || ids.has(wanted) || optional === 'true') return [];
      return [`${wanted} is imported, but is neither Kodi's nor packaged here`];
    }),
  );
}

function extensionFaults(addon: Element, files: Files): string[] {
  const extensions = childrenOf(addon, 'extension').filter(
    ({ attributes }) => !METADATA.test(attributes['point'] ?? ''),
  );
  const imports = childrenOf(addon, 'requires').flatMap(({ children }) => children);
  const faults = extensions.flatMap(({ attributes }) => extensionFault(attributes, files));
  if (extensions.length === 0) faults.push('addon.xml extends nothing');
  const isPython = extensions.some(({ attributes }) => attributes['library'] !== undefined);
  const hasPython = imports.some(
    ({ attributes }) => attributes['addon'] === 'xbmc.python' && attributes['version'] === '3.0.0',
  );
  if (isPython && !hasPython)
    faults.push('it does not import xbmc.python 3.0.0, as all that runs in Kodi 19 to 21 must');
  return faults;
}

function extensionFault(attributes: Readonly<Record<string, string>>, files: Files): string[] {
  const { point = '', library } = attributes;
  if (!POINTS.includes(point)) return [`${point} is no extension point that is known here`];
  if (point === 'xbmc.addon.repository') return [];
  const isThere =
    point === 'xbmc.python.module'
      ? [...files.keys()].some((path) => path.startsWith(`${library ?? ''}/`))
      : files.has(library ?? '');
  return isThere ? [] : [`${point} names the library ${library ?? '(none)'}, which is not there`];
}
