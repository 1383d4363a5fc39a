import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { OtherAddons } from '../port.ts';
import type { BridgePeer } from './peer.ts';
import { callChecked } from './properties.ts';

/** An add-on's id, so that its folder is nowhere else. */
const ID = /^[a-z0-9][a-z0-9._-]*$/i;

/** Kodi's other add-ons. Their data lies beside ours: userdata/addon_data/<id>. */
export function kodiAddons(peer: BridgePeer, data: string): OtherAddons {
  return {
    isInstalled: (id) => callChecked(peer, 'addons.installed', { id }, v.boolean()),
    dataFolder: (id) => {
      if (!ID.test(id)) throw new RangeError(`"${id}" is no add-on's id`);
      return join(dirname(data), id);
    },
  };
}
