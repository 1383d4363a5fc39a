import * as v from 'valibot';
import type { Properties } from '../port.ts';
import { type BridgePeer, hostFailed } from './peer.ts';

/** The properties of Kodi's home window. */
export function kodiProperties(peer: BridgePeer): Properties {
  return {
    get: (name) => callChecked(peer, 'property.get', { name }, v.string()),
    set: async (name, value) => {
      await peer.call('property.set', { name, value });
    },
    clear: async (name) => {
      await peer.call('property.clear', { name });
    },
  };
}

/**
 * Calls a method and checks the answer's shape. @throws HOST_FAILED also for an answer of another shape; what it holds
 * is not repeated: it may be a secret.
 */
export async function callChecked<T>(
  peer: BridgePeer,
  method: string,
  params: object,
  schema: v.GenericSchema<unknown, T>,
): Promise<T> {
  const result = v.safeParse(schema, await peer.call(method, params));
  if (!result.success) throw hostFailed(method, 'answered in another shape');
  return result.output;
}
