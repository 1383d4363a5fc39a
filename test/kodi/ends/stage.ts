import type { Root } from '../../../tools/debian-root/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { rowsAddon } from '../rows.ts';
import { type Stage, stage } from '../slipstream.ts';
import { type End, ROWS } from './end.ts';

/** Kodi's playlist player opens its box about each failure, not only about a second one 20 s after the first. */
const IMPATIENT = '<playlistretries>1</playlistretries>';

/** A Kodi in which that end can be brought about. @param addon Ours, which counts its answers. */
export async function stageFor(root: Root, { settings = {}, kodi = {} }: End, addon: string): Promise<Stage> {
  const addons = [addon, await rowsAddon(temporaryFolder(), ROWS)];
  return stage(root, { settings, kodi: { addons, advanced: IMPATIENT, debug: true, ...kodi } });
}
