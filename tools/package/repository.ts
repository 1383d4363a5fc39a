import { escapeXml } from './escape.ts';
import { type AddonPackage, text } from './files.ts';

export const REPOSITORY_ID = 'repository.slipstream';

/** To be raised when anything in the repository add-on changes, its address above all: Kodi updates it by its number. */
const VERSION = '1.0.0';

export interface RepositoryOptions {
  /** Where the packages are served, without a slash at the end. */
  readonly baseUrl: string;
  readonly icon: Uint8Array;
  readonly licence: Uint8Array;
}

/** The add-on that tells Kodi where the others are. */
export function repositoryAddon({ baseUrl, icon, licence }: RepositoryOptions): AddonPackage {
  return {
    id: REPOSITORY_ID,
    version: VERSION,
    folder: REPOSITORY_ID,
    files: new Map([
      ['addon.xml', text(addonXml(escapeXml(baseUrl)))],
      ['icon.png', { content: icon }],
      ['LICENSE.txt', { content: licence }],
    ]),
  };
}

/**
 * Gives it without a slash at the end. By plain HTTP whoever is on the way can exchange index, hashes and zips, and so give
 * code to every Kodi that updates itself from there: only where somebody has asked for just that.
 * @throws Error when it is no address that Kodi could fetch from, or one by plain HTTP that was not allowed
 */
export function parseBaseUrl(address: string, { allowHttp = false } = {}): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.search === '' && url.hash === '' && url.username === '';
  if (!isPlain || !/^https?:$/.test(url.protocol))
    throw new Error(`--base-url must be an http(s) address of a folder, not "${address}"`);
  if (url.protocol === 'http:' && !allowHttp)
    throw new Error(
      '--base-url should be an https address: by plain http, whoever is on the network can give your Kodi another add-on, and with it any program. In a network of your own that may do: add --allow-http',
    );
  return url.href.replace(/\/+$/, '');
}

const addonXml = (baseUrl: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<addon id="${REPOSITORY_ID}" name="Slipstream repository" version="${VERSION}" provider-name="Slipstream">
  <extension point="xbmc.addon.repository">
    <dir>
      <info compressed="false">${baseUrl}/addons.xml</info>
      <checksum verify="sha256">${baseUrl}/addons.xml.sha256</checksum>
      <datadir zip="true">${baseUrl}/</datadir>
      <hashes>sha256</hashes>
    </dir>
  </extension>
  <extension point="xbmc.addon.metadata">
    <summary lang="en_GB">Slipstream and its updates</summary>
    <description lang="en_GB">Kodi installs Slipstream and the Node.js that it may need from here, checks every file against its SHA-256, and keeps them up to date.</description>
    <platform>all</platform>
    <license>MIT</license>
    <assets>
      <icon>icon.png</icon>
    </assets>
  </extension>
</addon>
`;
