import { openOrRelist } from '../../play-address/open-or-relist.ts';
import type { OpenedAddress } from '../source/play-address.ts';
import { withoutUserInfo } from '../source/schemas.ts';
import type { ProxyContext } from '../stages.ts';
import type { PrepareRequest } from './prepare-request.ts';

/** Where the file of a /prepare is; its size where somebody has told it. */
export type ResolvedAddress = Omit<OpenedAddress, 'size'> & { readonly size: number | undefined };

/**
 * Finds the file, after whatever its address leads through.
 * @throws as openPlayAddress
 */
export async function openAddress(
  { stages, connections, relist, log }: ProxyContext,
  { url, headers, serving, opening, size, listed, anew }: PrepareRequest,
  signal: AbortSignal,
): Promise<ResolvedAddress> {
  const spec = withoutUserInfo({ url, headers, ...(serving !== undefined && { serving }) });
  if (opening === undefined) return { spec, size };
  const canAsk = listed !== undefined && relist !== undefined;
  return await openOrRelist(
    {
      who: opening.who,
      address: spec,
      anew,
      signal,
      log,
      relist: canAsk ? (until) => relist(listed, until) : undefined,
    },
    (address) => stages.openPlayAddress(connections, { ...spec, ...address, opening }, { signal, log }),
  );
}
