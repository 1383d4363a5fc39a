import * as v from 'valibot';
import { unlessAborted } from '../../io/wait.ts';
import type { HostFiles } from '../port.ts';
import type { BridgePeer } from './peer.ts';
import { callChecked } from './properties.ts';

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

/** Bytes that the host gives in one answer. */
const MAX_READ = 1024 * 1024;

/** Kodi's own file layer. An abort ends our waiting; the call itself ends when the server lets it. */
export function kodiFiles(peer: BridgePeer): HostFiles {
  return {
    list: async (folder, signal) => {
      signal.throwIfAborted();
      const found = await unlessAborted(callChecked(peer, 'files.list', { folder }, Listing), signal);
      return found?.map(({ name, isFolder, size }) =>
        size === undefined ? { name, isFolder } : { name, isFolder, size },
      );
    },
    read: async (path, { from, length }, signal) => {
      const pieces: Buffer[] = [];
      for (let read = 0; read < length; ) {
        signal.throwIfAborted();
        const wanted = Math.min(MAX_READ, length - read);
        const params = { path, from: from + read, length: wanted };
        const found = await unlessAborted(callChecked(peer, 'files.read', params, Bytes), signal);
        if (found === null) return undefined;
        const piece = Buffer.from(found, 'base64');
        pieces.push(piece);
        read += piece.byteLength;
        if (piece.byteLength < wanted) break;
      }
      return Buffer.concat(pieces);
    },
  };
}
