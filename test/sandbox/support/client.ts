import type { Sandbox } from '../../../sandbox/index.ts';

/** What the tests ask a sandbox, with nothing of Slipstream in between. */
export interface Client {
  /** The indexer: t=… and so on. The key is added. */
  search(parameters: Record<string, string>): Promise<string>;
  nzb(guid: string): Promise<string>;
  /** A JSON answer of the API with its status; the key is added. */
  api(parameters: Record<string, string> | URLSearchParams): Promise<{ status: number; body: Json }>;
  /** Submits an NZB; returns the job's id. */
  submit(nzb: string, filename: string, category?: string): Promise<string>;
  dav(path: string, options?: DavOptions): Promise<Response>;
}

/** A loosely read document: a test that reads past it fails by itself. */
export type Json = { readonly [key: string]: Json } & readonly Json[] & string;

interface DavOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** @param apiPath where the backend's API is; AltMount has it elsewhere */
export function client({ indexer, backend }: Sandbox, apiPath = '/api'): Client {
  const login = `Basic ${Buffer.from(`${backend.username}:${backend.password}`).toString('base64')}`;
  const apiUrl = (parameters: Record<string, string> | URLSearchParams) => {
    const query = new URLSearchParams(parameters);
    query.set('apikey', backend.apiKey);
    return `${backend.apiUrl}${apiPath}?${query.toString()}`;
  };
  const search = async (parameters: Record<string, string>) => {
    const query = new URLSearchParams({ ...parameters, apikey: indexer.apiKey });
    return await (await fetch(`${indexer.url}/api?${query.toString()}`)).text();
  };
  return {
    search,
    nzb: (guid) => search({ t: 'get', id: guid }),
    async api(parameters) {
      const answer = await fetch(apiUrl(parameters));
      return { status: answer.status, body: (await answer.json()) as Json };
    },
    async submit(nzb, filename, category = 'movies') {
      const form = new FormData();
      form.append('nzbfile', new Blob([nzb], { type: 'application/x-nzb' }), filename);
      const answer = await fetch(apiUrl({ mode: 'addfile', cat: category }), { method: 'POST', body: form });
      return ((await answer.json()) as { nzo_ids: string[] }).nzo_ids[0]!;
    },
    dav: (path, options = {}) =>
      fetch(backend.webdavUrl + path, {
        ...options,
        redirect: 'manual',
        headers: { authorization: login, ...options.headers },
      }),
  };
}

/** Everything of a body up to its end or its failure. */
export async function received(answer: Response): Promise<{ bytes: Buffer; failed: boolean }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), failed: false };
  } catch {
    return { bytes: Buffer.concat(chunks), failed: true };
  }
}

/** The release of the catalogue with this name. */
export function named<T extends { readonly name: string }>(releases: readonly T[], name: string): T {
  const found = releases.find((release) => release.name === name);
  if (found === undefined) throw new Error(`${name} is not in the catalogue.`);
  return found;
}
