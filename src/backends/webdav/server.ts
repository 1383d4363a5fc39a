import type { Logger } from '../../log/index.ts';
import type { SabServer } from '../sabnzbd/server.ts';
import { apiBase, shareBase, type WebdavConfig, webdavHeaders } from './config.ts';
import type { DavShare } from './dav-client.ts';
import { detectServer } from './detect-server.ts';
import { type Dialect, INFINIDYSK, NZBDAV } from './dialect/index.ts';
import type { WebdavTimings } from './timings.ts';

/**
 * The server, as far as it is known. It is taken for nzbdav until an answer does not fit: recognising it costs requests
 * that a play with nzbdav has no need of (protocols.md §2.11).
 */
export interface WebdavServer extends SabServer {
  readonly dialect: Dialect;
  share(): DavShare;
}

/** @throws INVALID_REQUEST when an address is none */
export function webdavServerOf(config: WebdavConfig, times: WebdavTimings, log: Logger): WebdavServer {
  const api = apiBase(config);
  const base = shareBase(config);
  const headers = webdavHeaders(config);
  let dialect = NZBDAV;
  let isKnown = false;
  return {
    url: api.url,
    isUncertain: api.hasSabPath,
    apiKey: config.apiKey,
    get dialect() {
      return dialect;
    },
    get isKnown() {
      return isKnown;
    },
    confirm: () => {
      isKnown = true;
    },
    hasExtendedLists: () => {
      if (dialect === NZBDAV) dialect = INFINIDYSK;
    },
    detect: async (signal) => {
      const before = dialect;
      const found = await detectServer({ api, apiKey: config.apiKey, timeout: times.request, signal });
      if (found === undefined) return false;
      isKnown = true;
      dialect = found;
      log.info(`the WebDAV backend is ${found.name}`);
      return found.apiPath !== before.apiPath || found.keyIn !== before.keyIn;
    },
    share: () => ({
      url: withShare(base, dialect),
      headers,
      timeout: times.request,
      owner: dialect.name,
      who: `The WebDAV of ${dialect.name}`,
    }),
  };
}

/** People enter the address with the share's own path, or without. */
function withShare(base: string, { sharePath }: Dialect): string {
  const path = sharePath.map((part) => `/${part}`).join('');
  return base.endsWith(path) ? base : base + path;
}
