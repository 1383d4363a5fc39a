import { join } from 'node:path';
import * as v from 'valibot';
import { poll } from '../../io/wait.ts';
import type { MenuRow } from '../port.ts';
import type { BridgePeer } from './peer.ts';
import { callChecked } from './properties.ts';
import type { StartMessage } from './start.ts';

/** Milliseconds between two looks whether Kodi shows what it was told, and until it does or never will. */
const POLL_INTERVAL = 50;
const SHOW_TIMEOUT = 5_000;

/**
 * Gives Kodi the rows, and puts the focus on the first of them: Kodi puts it on "..", which leads out.
 *
 * @returns whether a person has them on the screen
 */
export async function showKodiMenu(
  peer: BridgePeer,
  { addon }: Pick<StartMessage, 'addon'>,
  rows: readonly MenuRow[],
  signal: AbortSignal,
): Promise<boolean> {
  signal.throwIfAborted();
  const made = rows.map(({ label, help, icon, route }) => ({
    label,
    help,
    icon: join(addon.path, 'resources', 'menu', `${icon}.png`),
    url: urlOf(addon.id, route),
  }));
  await callChecked(peer, 'menu.show', { rows: made }, v.boolean());
  const isShown = await waitUntilShown(peer, signal);
  if (isShown) await callChecked(peer, 'menu.focus', {}, v.boolean());
  return isShown;
}

/** As choosing its row in the menu does. */
export async function startKodiRoute(
  peer: BridgePeer,
  { addon }: Pick<StartMessage, 'addon'>,
  route: string,
): Promise<void> {
  await callChecked(peer, 'menu.run', { url: urlOf(addon.id, route) }, v.boolean());
}

/** Kodi fills its list once it has the answer. A skin that lists the menu on a page of its own shows it to nobody. */
async function waitUntilShown(peer: BridgePeer, signal: AbortSignal): Promise<boolean> {
  const look = async () => {
    const seen = await callChecked(peer, 'menu.state', {}, v.picklist(['', 'coming', 'shown']));
    return seen === 'coming' ? undefined : seen;
  };
  return (await poll(look, { signal, interval: () => POLL_INTERVAL, deadline: SHOW_TIMEOUT })) === 'shown';
}

const urlOf = (id: string, route: string) => `plugin://${id}${route}`;
