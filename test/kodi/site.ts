import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { cacheFolder } from '../../tools/debian-root/paths.ts';
import { makePackages } from '../../tools/package/index.ts';
import { npmReader } from '../../tools/package/node-binary.ts';
import { binariesFor } from '../../tools/package/platforms.ts';
import { serve } from '../support/http-server.ts';

export interface Site {
  /** Without a slash at its end. */
  readonly url: string;
  /** Puts another version where Kodi looks for updates. */
  publish(version?: string): Promise<void>;
}

/** A web server with the packages, in a folder of its own as on most. */
export async function publishedSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'slipstream-site-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const out = join(folder, 'slipstream');
  const url = `${await serve((request, response) => {
    serveFile(folder, request, response).catch(() => response.destroy());
  })}/slipstream`;
  const cache = cacheFolder();
  const nodes = binariesFor(`${process.platform}-${process.arch}`);
  const publish = async (version?: string) => {
    const build = version === undefined ? {} : { version };
    await makePackages({ out, cache, read: npmReader(cache), baseUrl: url, nodes, build });
  };
  await publish();
  return { url, publish };
}

/** As any web server of static files does. Without ranges Kodi cannot look into a zip, and crashes. */
async function serveFile(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = join(
    folder,
    request.url?.endsWith('/') === true ? `${request.url}index.html` : `${request.url}`,
  );
  const content = await readFile(path).catch(() => undefined);
  if (content === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const first = Number(from ?? 0);
  const last = to === undefined || to === '' ? content.length - 1 : Math.min(Number(to), content.length - 1);
  response.writeHead(from === undefined ? 200 : 206, {
    'accept-ranges': 'bytes',
    'content-type': path.endsWith('.html') ? 'text/html' : 'application/octet-stream',
    'content-length': last - first + 1,
    ...(from !== undefined && { 'content-range': `bytes ${first}-${last}/${content.length}` }),
  });
  response.end(request.method === 'HEAD' ? undefined : content.subarray(first, last + 1));
}
