import * as v from 'valibot';
import { unlessAborted } from '../../io/wait.ts';
import type { HostFiles } from '../port.ts';
import type { Peer } from './peer.ts';
import { ask } from './properties.ts';

const Listing = v.nullable(
  v.array(
    v.object({
      name: v.string(),
      isFolder: v.boolean(),
      size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
  ),
);
/** In base64. */
const Bytes = v.nullable(v.string());

/** Kodi's own file layer. An abort ends our waiting; the call itself ends when the server lets it. */
export function kodiFiles(peer: Peer): HostFiles {
  return {
    list: async (folder, signal) => {
      signal.throwIfAborted();
      const found = await unlessAborted(ask(peer, 'files.list', { folder }, Listing), signal);
      return found?.map(({ name, isFolder, size }) =>
        size === undefined ? { name, isFolder } : { name, isFolder, size },
      );
    },
    read: async (path, { from, length }, signal) => {
      signal.throwIfAborted();
      const found = await unlessAborted(ask(peer, 'files.read', { path, from, length }, Bytes), signal);
      return found === null ? undefined : Buffer.from(found, 'base64');
    },
  };
}
