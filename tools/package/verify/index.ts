import type { AddonPackage } from '../files.ts';
import { addonXmlFaults } from './addon-xml.ts';
import { contentFaults } from './contents.ts';
import { type Element, parseXml } from './element.ts';
import { imageFaults } from './images.ts';
import { metadataFaults } from './metadata.ts';
import { repositoryFaults } from './repository.ts';
import { settingsFaults } from './settings.ts';
import { stringFaults } from './strings.ts';

/**
 * Holds add-ons against the rules of Kodi 21, of its own repository's checker (kodi-addon-checker), and ours.
 * @throws Error that names every broken one.
 */
export function verifyPackages(packages: readonly AddonPackage[]): void {
  const ids = new Set(packages.map(({ id }) => id));
  const faults = packages.flatMap((one) =>
    packageFaults(one, ids).map((fault) => `  ${one.folder}: ${fault}`),
  );
  if (faults.length > 0)
    throw new Error(`what is to be packaged breaks rules of Kodi:\n${faults.join('\n')}`);
}

/** What is wrong with one add-on, a sentence each. `ids`: the add-ons that are packaged together. */
export function packageFaults(one: AddonPackage, ids: ReadonlySet<string>): string[] {
  const { files } = one;
  const addon = readXml(one, 'addon.xml');
  if (typeof addon === 'string') return [addon];
  const settings = files.has('resources/settings.xml') ? readXml(one, 'resources/settings.xml') : undefined;
  return [
    ...contentFaults(one),
    ...addonXmlFaults(one, addon, ids),
    ...metadataFaults(addon),
    ...repositoryFaults(addon),
    ...imageFaults(one, addon),
    ...stringFaults(files),
    ...(settings === undefined
      ? []
      : typeof settings === 'string'
        ? [settings]
        : settingsFaults(one, settings)),
  ];
}

/** The file's tree, or why there is none. */
function readXml({ files }: AddonPackage, path: string): Element | string {
  const file = files.get(path);
  if (file === undefined) return `there is no ${path}`;
  try {
    return parseXml(new TextDecoder().decode(file.content));
  } catch (error) {
    return `${path}: ${(error as Error).message}`;
  }
}
