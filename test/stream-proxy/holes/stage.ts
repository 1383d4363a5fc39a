import type { Serving } from '../../../src/model/index.ts';
import { FILL_POLICY, type FillPolicy } from '../../../src/stream-proxy/policy/fills.ts';
import { READ_POLICY, type RetryPolicy } from '../../../src/stream-proxy/policy/policies.ts';
import type { RunningProxy, SessionReport } from '../../../src/stream-proxy.ts';
import {
  type Content,
  type FaultServer,
  NO_FAULTS,
  type Region,
  type Script,
  startFaultServer,
} from '../../support/fault-server/index.ts';
import { askPrepare, requestProxy, startTestProxy } from '../../support/proxy.ts';

// A film with holes, a server of it, and a proxy between it and a player.

/** nzbdav's, of a release that is complete. */
export const COMPLETE: Serving = { look: 'dear', windows: false, zeroFills: false, complete: true };

/** InfiniDysk's: lost articles are zeros, and nothing says so. */
export const FILLING: Serving = { look: 'dear', windows: false, zeroFills: true, complete: true };

/** What such a server has of a file. */
export const zeroed = (content: Content, holes: readonly Region[]): Content => ({
  size: content.size,
  read: (first, last) => {
    const bytes = Buffer.from(content.read(first, last));
    for (const hole of holes) {
      const [from, to] = [Math.max(hole.first, first), Math.min(hole.last, last) + 1];
      if (from < to) bytes.fill(0, from - first, to - first);
    }
    return bytes;
  },
});

export interface StageOptions {
  /** The film as it is, and what the server has of it where that is not the same. */
  readonly content: Content;
  readonly served?: Content;
  readonly name?: string;
  readonly script?: Partial<Script>;
  readonly serving?: Serving;
  readonly fills?: Partial<FillPolicy>;
  readonly read?: Partial<RetryPolicy>;
}

export interface Stage {
  readonly server: FaultServer;
  readonly proxy: RunningProxy;
  readonly url: string;
  /** What a replacement of the engine would be given now. */
  readonly snapshot: () => unknown;
  readonly report: () => SessionReport;
  /** The bytes of a range; rejects when they are cut off. */
  readonly read: (region: Region) => Promise<Buffer>;
  /** Whether they are the film's own. */
  readonly isRight: (bytes: Uint8Array, first: number) => boolean;
  readonly close: () => Promise<void>;
}

export async function setStage(options: StageOptions): Promise<Stage> {
  const { content, served = content, name = 'Sintel.2010.mkv' } = options;
  const { script = {}, serving, fills = {}, read = {} } = options;
  const server = await startFaultServer({
    files: [{ path: '/content/film', content: served }],
    script: { ...NO_FAULTS, dialect: 'nzbdav', ...script },
  });
  const proxy = await startTestProxy({
    policies: {
      read: { ...READ_POLICY, pauses: [0, 10], ...read },
      fills: { ...FILL_POLICY, recheckInterval: 50, confirmAfter: 50, ...fills },
    },
  });
  const answer = await askPrepare(proxy, { url: server.url, name, ...(serving && { serving }) });
  if (answer.status !== 200) throw new Error(`prepare: ${answer.status} ${answer.body.toString()}`);
  const { url } = answer.json() as { readonly url: string };
  return {
    server,
    proxy,
    url,
    snapshot: () => JSON.parse(JSON.stringify(proxy.snapshot())) as unknown,
    report: () => {
      const [report] = proxy.sessions();
      if (report === undefined) throw new Error('the session is gone');
      return report;
    },
    read: async ({ first, last }) =>
      (await requestProxy(url, { headers: { range: `bytes=${first}-${last}` } })).body,
    isRight: (bytes, first) => Buffer.from(content.read(first, first + bytes.length - 1)).equals(bytes),
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
}
