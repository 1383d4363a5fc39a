import { childrenOf, type Element } from './element.ts';

const URL_OF_FILE = /^https?:\/\/[^\s?#]+[^/]$/;
const URL_OF_FOLDER = /^https?:\/\/[^\s?#]+\/$/;

/** The repository extension: where things are, and that Kodi verifies each of them. */
export function repositoryFaults(addon: Element): string[] {
  const repositories = childrenOf(addon, 'extension').filter(
    ({ attributes }) => attributes['point'] === 'xbmc.addon.repository',
  );
  return repositories.flatMap((repository) => {
    const folders = childrenOf(repository, 'dir');
    return folders.length === 0 ? ['the repository names no <dir>'] : folders.flatMap(dirFaults);
  });
}

function dirFaults(dir: Element): string[] {
  const one = (name: string): Element | undefined => childrenOf(dir, name)[0];
  const faults: string[] = [];
  if (!URL_OF_FILE.test(one('info')?.text ?? '')) faults.push('<info> is no address of a file');
  if (!URL_OF_FILE.test(one('checksum')?.text ?? '')) faults.push('<checksum> is no address of a file');
  if (one('checksum')?.attributes['verify'] !== 'sha256')
    faults.push('<checksum> does not verify by SHA-256');
  if (!URL_OF_FOLDER.test(one('datadir')?.text ?? '')) faults.push('<datadir> is no address of a folder');
  if (one('datadir')?.attributes['zip'] !== 'true') faults.push('<datadir> does not say that it holds zips');
  if (one('hashes')?.text !== 'sha256') faults.push('<hashes> does not ask for SHA-256');
  return faults;
}
