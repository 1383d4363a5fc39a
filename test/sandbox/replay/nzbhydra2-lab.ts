import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { HydraIndexer } from '../../../sandbox/indexer/hydra/indexer.ts';
import type { HydraSetup } from '../../../sandbox/indexer/hydra/settings.ts';
import { type IndexerSandbox, startIndexer } from '../../../sandbox/indexer/start.ts';
import { SHORT } from '../support/hydra.ts';
import { hydraForm, hydraHeaders } from './nzbhydra2-form.ts';
import { idsOf } from './nzbhydra2-indexers.ts';
import type { Exchange } from './transcript.ts';

const KEY = 'lab-key-5c81';

export interface HydraLab {
  readonly service: IndexerSandbox;
  indexer(name: string): HydraIndexer;
  /** Asks all indexers, beside the recording. */
  search(): Promise<void>;
  /** Asks what was asked, and compares what comes. */
  replay(exchange: Exchange): Promise<void>;
  close(): Promise<void>;
}

export interface HydraLabOptions extends HydraSetup {
  readonly behind: readonly HydraIndexer[];
  readonly urlBase?: string;
}

export async function startHydraLab({ behind, urlBase = '', ...settings }: HydraLabOptions = { behind: [] }) {
  const service = await startIndexer('hydra', {
    apiKey: KEY,
    urlBase,
    hydraIndexers: behind,
    hydra: { ...settings, times: SHORT },
  });
  const ids = idsOf(behind);
  const lab: HydraLab = {
    service,
    indexer: (name) => behind.find((each) => each.name === name)!,
    search: async () => {
      await fetch(`${service.url}/api?t=search&apikey=${KEY}`);
    },
    replay: async (exchange) => {
      compare(exchange, await ask(new URL(service.url).origin, exchange, ids), ids);
    },
    close: () => service.close(),
  };
  return lab;
}

interface Came {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Asked by the recorded host, which is what the answer writes into its addresses. */
function ask(origin: string, { request }: Exchange, ids: ReadonlyMap<string, string>): Promise<Came> {
  const { method, headers } = request;
  return new Promise((resolve, reject) => {
    const path = ours(request.target, ids);
    const req = httpRequest(origin, { method, path, headers: { ...headers }, agent: false });
    req.once('error', reject);
    req.once('response', (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text });
      });
    });
    req.end(ours(request.body, ids));
  });
}

/** What was recorded, with our key and our ids. The sandbox speaks no TLS. */
const ours = (text: string, ids: ReadonlyMap<string, string>) =>
  text
    .replaceAll('{hydra key}', KEY)
    .replace(/-?\d{15,}/g, (id) => ids.get(id) ?? id)
    .replaceAll('https://127.0.0.1:5076', 'http://127.0.0.1:5076');

function compare({ name, answer }: Exchange, came: Came, ids: ReadonlyMap<string, string>): void {
  const { status, headers = {}, body } = answer;
  const recorded = body.kind === 'text' ? ours(body.text, ids) : '';
  expect([name, came.status]).toEqual([name, status]);
  const isWhole = /^(?:An error|<error|<html|<\?xml[^>]*>\n<error code="\d+" desc)/.test(recorded);
  expect([name, hydraHeaders(came.headers, isWhole)]).toEqual([name, hydraHeaders(headers, isWhole)]);
  expect([name, hydraForm(came.text, recorded)]).toEqual([name, hydraForm(recorded, recorded)]);
}
