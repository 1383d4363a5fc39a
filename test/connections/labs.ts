import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type DirectStreamKind, startDirectStream, WEBDAV_LOGIN } from '../../sandbox/direct-stream/index.ts';
import { startStremio } from '../../sandbox/direct-stream/stremio.ts';
import { type RecordedRequest, startSandbox, whenQuery } from '../../sandbox/index.ts';
import { startIndexer } from '../../sandbox/indexer/start.ts';
import { startNzbget } from '../../sandbox/nzbget/index.ts';
import type { ServiceId, TestContext } from '../../src/connections/service.ts';
import { localFiles } from '../../src/host/terminal/files.ts';
import { memoryLog } from '../support/log.ts';

/** A service of the sandbox, and what has to be entered for it. */
export interface ServiceLab {
  readonly id: Exclude<ServiceId, 'tmdb'>;
  /** Where it answers. */
  readonly url: string;
  /** Everything right. */
  readonly settings: Readonly<Record<string, string>>;
  /** The setting of its address. */
  readonly address: string;
  /** Settings in which the key is a wrong one. */
  readonly wrongKey: Readonly<Record<string, string>>;
  /** Where it mostly is behind a reverse proxy, or nothing: its address without what follows the host is wrong already. */
  readonly usualPath: string;
  /** What it was asked so far. */
  readonly requests: readonly Pick<RecordedRequest, 'query' | 'headers'>[];
  /** Its account ends, or what of that can be seen. @returns settings for it, where it takes others */
  readonly expire: () => Readonly<Record<string, string>>;
}

const KEY = 'canary-right-3f9a61';
export const WRONG = 'canary-wrong-77b0d4';
/** None of it may be in any text. */
export const CANARY = /canary|%22password/i;

export async function testContext(signal = new AbortController().signal): Promise<TestContext> {
  const folder = await mkdtemp(join(tmpdir(), 'connections-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return { files: localFiles, folder, log: memoryLog(), signal };
}

const LABS: Readonly<Record<ServiceLab['id'], () => Promise<Omit<ServiceLab, 'id'>>>> = {
  newznab: async () => {
    const service = await startIndexer('newznab', { apiKey: KEY });
    onTestFinished(() => service.close());
    return {
      url: service.url,
      requests: service.requests,
      settings: { indexer_name: 'Example', indexer_url: service.url, indexer_api_key: KEY },
      address: 'indexer_url',
      wrongKey: { indexer_api_key: WRONG },
      usualPath: '/newznab',
      expire: () => {
        const body = '<error code="101" description="Account suspended"/>';
        service.faults.wire = [{ kind: 'body', body, when: whenQuery('t', 'search') }];
        return {};
      },
    };
  },
  hydra: async () => {
    const service = await startIndexer('hydra', { apiKey: KEY });
    onTestFinished(() => service.close());
    return {
      url: service.url,
      requests: service.requests,
      settings: { hydra_url: service.url, hydra_api_key: KEY },
      address: 'hydra_url',
      wrongKey: { hydra_api_key: WRONG },
      usualPath: '/nzbhydra2',
      expire: () => {
        for (const indexer of service.hydraIndexers)
          indexer.refuse('Indexer refused authentication. Error code: 101. Description: Account suspended');
        return {};
      },
    };
  },
  prowlarr: async () => {
    const service = await startIndexer('prowlarr', { apiKey: KEY });
    onTestFinished(() => service.close());
    return {
      url: service.url,
      requests: service.requests,
      settings: { prowlarr_url: service.url, prowlarr_api_key: KEY },
      address: 'prowlarr_url',
      wrongKey: { prowlarr_api_key: WRONG },
      usualPath: '/prowlarr',
      expire: () => {
        for (const indexer of service.indexers.slice(0, 2))
          Object.assign(indexer, { vipExpiration: '2026-01-31', search: 'empty' });
        return {};
      },
    };
  },
  stremio: async () => {
    const service = await startStremio({ apiKey: KEY });
    onTestFinished(() => service.close());
    return {
      url: service.url,
      requests: service.requests,
      settings: { stremio_url: `${service.url}/manifest.json` },
      address: 'stremio_url',
      wrongKey: { stremio_url: `${new URL(service.url).origin}/${WRONG}/manifest.json` },
      usualPath: '',
      expire: () => {
        service.faults.search = 'empty';
        service.faults.rows = [{ name: 'Sandbox', description: 'Your subscription has expired' }];
        return {};
      },
    };
  },
  webdav: async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const { apiUrl, apiKey, username, password } = sandbox.backend;
    return {
      url: apiUrl,
      requests: sandbox.requests,
      settings: {
        webdav_api_url: apiUrl,
        webdav_api_key: apiKey,
        webdav_username: username,
        webdav_password: password,
      },
      address: 'webdav_api_url',
      wrongKey: { webdav_api_key: WRONG },
      usualPath: '/nzbdav',
      expire: () => {
        sandbox.faults.webdav.push({ kind: 'status', status: 403 });
        return {};
      },
    };
  },
  nzbget: async () => {
    const nzbget = await startNzbget();
    onTestFinished(() => nzbget.close());
    const { url, username, password, folder, addOnly } = nzbget;
    return {
      url,
      requests: nzbget.requests,
      settings: {
        nzbget_url: url,
        nzbget_username: username,
        nzbget_password: password,
        nzbget_folder: folder,
        nzbget_movie_category: 'Movies',
        nzbget_tv_category: 'Series',
      },
      address: 'nzbget_url',
      wrongKey: { nzbget_password: WRONG },
      usualPath: '/nzbget',
      // It has no accounts that end, but such as may do less.
      expire: () => ({ nzbget_username: addOnly.username, nzbget_password: addOnly.password }),
    };
  },
  altmount: () => direct('altmount'),
  streamnzb: () => direct('streamnzb'),
};

async function direct(kind: DirectStreamKind): Promise<Omit<ServiceLab, 'id'>> {
  const service = await startDirectStream(kind, { apiKey: KEY });
  onTestFinished(() => service.close());
  return {
    url: service.url,
    requests: service.requests,
    settings: {
      direct_kind: kind,
      direct_url: service.url,
      direct_api_key: KEY,
      ...(kind === 'altmount' && {
        direct_webdav_username: WEBDAV_LOGIN.username,
        direct_webdav_password: WEBDAV_LOGIN.password,
      }),
    },
    address: 'direct_url',
    wrongKey: { direct_api_key: WRONG },
    usualPath: `/${kind}`,
    expire: () => {
      service.faults.account = 'Your subscription has expired';
      return {};
    },
  };
}

export const startLab = async (id: ServiceLab['id']): Promise<ServiceLab> => ({
  id,
  ...(await LABS[id]()),
});
