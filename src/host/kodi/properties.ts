import * as v from 'valibot';
import type { Properties } from '../port.ts';
import type { Peer } from './peer.ts';

/** The properties of Kodi's home window. */
export function kodiProperties(peer: Peer): Properties {
  return {
    get: async (name) => v.parse(v.string(), await peer.call('property.get', { name })),
    set: async (name, value) => {
      await peer.call('property.set', { name, value });
    },
    clear: async (name) => {
      await peer.call('property.clear', { name });
    },
  };
}

/** The stored settings, all in one call. */
export async function readKodiSettings(
  peer: Peer,
  ids: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  return v.parse(v.record(v.string(), v.string()), await peer.call('settings.read', { ids }));
}
