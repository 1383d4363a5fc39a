import { SlipstreamError } from '../../errors/index.ts';
import type { ServerFolders } from './dialect/index.ts';
import type { WebdavServer } from './server.ts';

/** A category as the server spells it: AltMount takes no other spelling (protocols.md §2.10). Undefined: it has none such. */
export const serverSpelling = (category: string, names: readonly string[]): string | undefined =>
  names.find((name) => name === category) ??
  names.find((name) => name.toLowerCase() === category.toLowerCase());

/** What to send to a server of this kind. @throws INVALID_REQUEST when it has no such category, and what asking it throws */
export async function categoryFor(
  { dialect }: WebdavServer,
  folders: (signal: AbortSignal) => Promise<ServerFolders>,
  category: string,
  signal: AbortSignal,
): Promise<string> {
  if (!dialect.isCategoryCaseSensitive || category === '') return category;
  const { names } = await folders(signal);
  const own = serverSpelling(category, names);
  if (own === undefined) throw noCategory(dialect.name, category, names);
  return own;
}

export const noCategory = (server: string, category: string, names: readonly string[]): SlipstreamError =>
  new SlipstreamError('INVALID_REQUEST', {
    what: `${server} has no category "${category}".`,
    next: `Make it there, or enter one that it has${names.length === 0 ? '' : `: ${names.slice(0, 10).join(', ')}`}.`,
  });
