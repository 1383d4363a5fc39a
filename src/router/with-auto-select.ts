import type { Host } from '../host/port.ts';

/** The host as it would be if the settings said so: take the best release (true), or ask (false). Undefined: as they are. */
export function withAutoSelect(host: Host, automatic: boolean | undefined): Host {
  if (automatic === undefined) return host;
  return {
    ...host,
    readSettings: async (ids) => ({ ...(await host.readSettings(ids)), auto_select: String(automatic) }),
  };
}
