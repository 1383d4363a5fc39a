import * as v from 'valibot';
import type { BridgePeer } from './peer.ts';
import { callChecked } from './properties.ts';

/** The stored settings, all in one call. */
export function readKodiSettings(
  peer: BridgePeer,
  ids: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  return callChecked(peer, 'settings.read', { ids }, v.record(v.string(), v.string()));
}

/** Stores settings of ours, and leaves the others as they are. @throws HOST_FAILED also for one that there is not */
export async function writeKodiSettings(
  peer: BridgePeer,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await peer.call('settings.write', { values });
}

/** Opens the settings of ours, at that page (its id in settings.xml) where the skin lets us. */
export async function openKodiSettings(peer: BridgePeer, page = ''): Promise<void> {
  await peer.call('settings.open', { page });
}
