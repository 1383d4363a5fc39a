import { SlipstreamError } from '../../errors/index.ts';
import { type DownloadClientConfig, NAME } from './config.ts';
import { destDir } from './paths/rules.ts';
import type { ConfigOption } from './rpc-schema.ts';

/** A category as NZBGet's own options have it. */
interface Category {
  readonly name: string;
  /** Empty: a folder of its name in DestDir. */
  readonly folder: string;
}

/** All that are set up there. */
export function categoriesOf(options: readonly ConfigOption[]): readonly Category[] {
  const valueOf = (wanted: string) => options.find(({ name }) => name === wanted)?.value ?? '';
  return options.flatMap(({ name, value }) => {
    const number = /^Category(\d{1,3})\.Name$/.exec(name)?.[1];
    return number === undefined ? [] : [{ name: value, folder: valueOf(`Category${number}.DestDir`) }];
  });
}

/** The category as NZBGet spells it. @throws INVALID_REQUEST when there is none of that name */
export function knownCategory(wanted: string, options: readonly ConfigOption[]): string {
  const known = categoriesOf(options).map(({ name }) => name);
  const same = known.find((name) => name.toLowerCase() === wanted.toLowerCase());
  if (same === undefined) throw noCategory(wanted, known);
  return same;
}

function noCategory(wanted: string, known: readonly string[]): SlipstreamError {
  return new SlipstreamError('INVALID_REQUEST', {
    what: `${NAME} has no category "${wanted}".`,
    next:
      known.length === 0
        ? `Add it in ${NAME} (Settings, Categories).`
        : `It has ${known.join(', ')}: enter one of them, or add yours in ${NAME}.`,
  });
}

/** Where the finished downloads of our categories go; a category may have a folder of its own. @throws INVALID_REQUEST */
export function categoryFolders(
  { movieCategory, tvCategory }: DownloadClientConfig,
  options: readonly ConfigOption[],
): readonly string[] {
  const used = [movieCategory, tvCategory].map((name) => name.toLowerCase());
  const own = categoriesOf(options)
    .filter(({ name, folder }) => folder !== '' && used.includes(name.toLowerCase()))
    .map(({ folder }) => folder);
  return [...new Set(own.length === used.length ? own : [destDir(options), ...own])];
}
