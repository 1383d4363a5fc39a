import type { Logger } from '../../log/index.ts';
import type { SabServer } from '../sabnzbd/server.ts';
import { apiBase, shareBase, type WebdavConfig, webdavHeaders } from './config.ts';
import { type Dialect, INFINIDYSK, NZBDAV } from './dialect/index.ts';
import type { Share } from './listing.ts';
import { recognise } from './recognise.ts';
import type { Times } from './times.ts';

/**
 * The server, as far as it is known. It is taken for nzbdav until an answer does not fit: recognising it costs requests
 * that a play with nzbdav has no need of (protocols.md §2.11).
 */
export interface Server extends SabServer {
  readonly dialect: Dialect;
  share(): Share;
}

/** @throws INVALID_REQUEST when an address is none */
export function serverOf(config: WebdavConfig, times: Times, log: Logger): Server {
  const api = apiBase(config);
  const base = shareBase(config);
  const headers = webdavHeaders(config);
  let dialect = NZBDAV;
  let isKnown = false;
  return {
    url: api.url,
    isDoubtful: api.namesSab,
    apiKey: config.apiKey,
    get dialect() {
      return dialect;
    },
    get isKnown() {
      return isKnown;
    },
    fits: () => {
      isKnown = true;
    },
    tellsMore: () => {
      if (dialect === NZBDAV) dialect = INFINIDYSK;
    },
    recognise: async (signal) => {
      const before = dialect;
      const found = await recognise({ api, apiKey: config.apiKey, timeout: times.request, signal });
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
