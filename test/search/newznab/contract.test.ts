import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { newznabSource } from '../../../src/search/newznab/index.ts';
import { type Behaviour, KEY, POSTS, sourceContract } from '../../contracts/source.ts';
import { closedPort } from '../../support/http-server.ts';
import { CAPS, errorXml, feed, item, newznabServer, type Reply } from './server.ts';

const POSTED = feed(POSTS.map(({ name, guid, size }) => item(name, guid, { size })));

function reply(behaviour: Behaviour, response: ServerResponse): Reply | undefined {
  switch (behaviour) {
    case 'posts':
      return POSTED;
    case 'nothing':
      return feed([]);
    case 'wrong-key':
      return errorXml(100, `Incorrect user credentials: ${KEY}`);
    case 'limit-reached':
      return errorXml(500, `Request limit reached for ${KEY}`);
    case 'own-error':
      return errorXml(900, `Unknown error at apikey=${KEY}`);
    case 'login-page':
      return '<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>Log in</body></html>';
    case 'truncated':
      return POSTED.slice(0, -40);
    case 'endless':
      pour(response);
      return undefined;
    case 'silent':
    case 'absent':
      return undefined;
  }
}

/** Writes until the other side has had enough: two gigabytes and more. */
function pour(response: ServerResponse): void {
  response.write('<rss><channel><title>');
  const more = 'x'.repeat(1024 * 1024);
  const write = () => {
    while (!response.destroyed && response.write(more));
  };
  response.on('drain', write);
  write();
}

sourceContract('newznab', {
  open: async (behaviour, { log, timeout }) => {
    const cacheFolder = await mkdtemp(join(tmpdir(), 'newznab-'));
    onTestFinished(() => rm(cacheFolder, { recursive: true }));
    const server = await newznabServer(({ t }, response) =>
      t === 'caps' ? CAPS : reply(behaviour, response),
    );
    const url = behaviour === 'absent' ? await closedPort() : server.url;
    const source = newznabSource({ name: 'Example', url, apiKey: KEY, timeout, cacheFolder }, log);
    return { source, mostAtOnce: server.mostAtOnce };
  },
});
