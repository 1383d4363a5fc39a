import {
  explainAddress,
  type ProbeOptions,
  type ProbeTarget,
  probeMatches,
  refusedByOtherServer,
  type StepFailure,
} from '../../diagnosis/index.ts';
import type { SlipstreamError } from '../../errors/index.ts';
import { NAME } from './config.ts';

const USUAL_PORTS = ['6789'];
const USUAL_PATHS = ['/nzbget'];

/** Why NZBGet does not answer as it should. @param url Its JSON-RPC, as it was called */
export async function explainVersionFailure(
  error: SlipstreamError,
  url: string,
  signal: AbortSignal,
): Promise<StepFailure> {
  const sought: ProbeTarget = {
    label: NAME,
    settingLabel: 'the NZBGet address',
    enteredUrl: url.replace(/\/jsonrpc$/, ''),
    usualPorts: USUAL_PORTS,
    usualPaths: USUAL_PATHS,
    isAt: isNzbget,
  };
  // The login is what was put into a header.
  if (error.code === 'INVALID_REQUEST') return { failure: error, setting: 'nzbget_password' };
  if (error.code !== 'AUTH_FAILED')
    return { failure: await explainAddress(error, sought, { signal }), setting: 'nzbget_url' };
  const other = await refusedByOtherServer(error, sought, { signal });
  return other === undefined
    ? { failure: error, setting: 'nzbget_password', alsoLikely: ['nzbget_username'] }
    : { failure: other, setting: 'nzbget_url' };
}

/** It asks everybody for a login before it looks at the path: below a path it is only where nothing asks above. */
async function isNzbget(base: string, probing: ProbeOptions): Promise<boolean> {
  const { origin, pathname } = new URL(base);
  if (pathname !== '/' && (await asksForLogin(origin, probing))) return false;
  return await asksForLogin(base, probing);
}

const asksForLogin = (base: string, probing: ProbeOptions): Promise<boolean> =>
  probeMatches({ url: `${base}/jsonrpc/version`, ...probing }, ({ status, headers }) => {
    const asked = headers['www-authenticate'];
    return status === 401 && (asked === undefined || /nzbget/i.test(asked));
  });
