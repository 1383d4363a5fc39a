import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Link, Release } from '../../../src/model/index.ts';
import { UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import { openCache } from '../../../src/search/cache.ts';
import { memoryLog } from '../../support/log.ts';

const TOKEN = 'token-of-the-person-77ab31';
const link = (n: number, more: Partial<Link> = {}): Link => ({
  url: `https://addon.example/${TOKEN}/play/${n}`,
  guid: String(n),
  indexer: 'Home',
  source: 's',
  plays: true,
  ...more,
});
const release = (name: string, ...links: [Link, ...Link[]]): Release => ({
  name,
  links,
  quality: { ...UNKNOWN_QUALITY, title: name },
});

it('what plays by itself still does when it comes from the cache; what needs a login is not kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cached-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const cache = openCache({ folder, log: memoryLog(), secrets: { s: [TOKEN] } });
  const request = { kind: 'movie', title: 'Sintel', ids: {} } as const;
  const key = { request, sources: ['s'], packs: false };
  const login = { headers: { authorization: 'Basic c2VjcmV0LWxvZ2lu' } };
  const releases = [release('Sintel.2010-A', link(1)), release('Sintel.2010-B', link(2, login))];
  const source = { id: 's', name: 'Home', state: 'answered', found: 2, fitting: 2, partial: [] } as const;
  await cache.write(key, { releases, setAside: [], sources: [source] });
  const kept = await cache.read(key);
  expect(kept?.releases.flatMap(({ links }) => links)).toEqual([link(1)]);
  expect(kept?.lost).toBe(1);
  const [file = ''] = await readdir(join(folder, 'searches'));
  const text = await readFile(join(folder, 'searches', file), 'utf8');
  expect(text).not.toContain(TOKEN);
  expect(text).not.toContain('c2VjcmV0');
});
