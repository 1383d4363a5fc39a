import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { asSlipstreamError } from '../errors/index.ts';
import type { Logger } from '../log/index.ts';
import type { CustomFormat } from './formats/format.ts';
import { importFormats } from './formats/import.ts';

/** Files that are looked at, in the order of their names. */
const MAX_FILES = 100;
/** Bytes; a list of all formats that are about has less. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The custom formats that the person has put, as Radarr or Sonarr export them, into the folder `formats` of the data
 * folder. What cannot be used is left out, and the log says which and why.
 */
export async function readFormatFolder(dataFolder: string, log: Logger): Promise<CustomFormat[]> {
  const folder = join(dataFolder, 'formats');
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.json$/i.test(name)).sort();
  const formats = new Map<string, CustomFormat>();
  for (const name of names.slice(0, MAX_FILES)) {
    for (const format of await readFormats(join(folder, name), name, log)) {
      if (!formats.has(format.name)) formats.set(format.name, format);
    }
  }
  return [...formats.values()];
}

async function readFormats(path: string, name: string, log: Logger): Promise<readonly CustomFormat[]> {
  try {
    const file = await stat(path);
    if (!file.isFile() || file.size > MAX_BYTES) throw new Error('no file of that size holds custom formats');
    const { formats, refused } = importFormats(withoutMark(await readFile(path, 'utf8')));
    for (const { name: format, reason } of refused)
      log.warning(`custom format "${format}" is left out: ${reason}`);
    for (const { name: format } of formats.filter(({ score }) => score === 0))
      log.warning(`custom format "${format}" counts nothing: ${name} gives it no points`);
    return formats;
  } catch (error) {
    log.warning(`${name} holds no custom formats that can be used: ${asSlipstreamError(error).message}`);
    return [];
  }
}

/** Some editors begin a file with a byte order mark, which JSON does not allow. */
const withoutMark = (text: string) => text.replace(/^\ufeff/, '');
