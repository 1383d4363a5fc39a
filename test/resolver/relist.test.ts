import { expect, onTestFinished, test } from 'vitest';
import { DirectPost } from '../../sandbox/direct-stream/post.ts';
import { startStreamNzb } from '../../sandbox/direct-stream/streamnzb/index.ts';
import { BIG_BUCK_BUNNY } from '../../sandbox/index.ts';
import { searchSources } from '../../src/connections/sources.ts';
import type { MediaRequest } from '../../src/model/index.ts';
import { createRelist } from '../../src/resolver/relist.ts';
import { listAgain } from '../../src/search/index.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { post, video } from '../sandbox/replay/lab.ts';
import { memoryLog } from '../support/log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const REQUEST: MediaRequest = {
  kind: 'movie',
  title: 'Big Buck Bunny',
  ids: { imdb: BIG_BUCK_BUNNY.imdb },
};
const film = (name: string) =>
  new DirectPost(post(name, { of: BIG_BUCK_BUNNY, size: 9e6, videos: [video(`${name}.mkv`, 8e6)] }));

async function setUp() {
  const [a, b] = ['A', 'B'].map((group) => film(`Big.Buck.Bunny.2008.1080p.WEB.x264-${group}`));
  const service = await startStreamNzb({ posts: [a!, b!] });
  onTestFinished(() => service.close());
  const settings = parseSettings({ stremio_url: `${service.addon()}/manifest.json` });
  const dataFolder = temporaryFolder();
  const log = memoryLog();
  const { sources } = await searchSources(settings, dataFolder, log);
  const { signal } = new AbortController();
  const [posting] = await listAgain(sources[0]!, REQUEST, signal);
  const { name, size, link } = posting!;
  const listed = { request: REQUEST, source: link.source, guid: link.guid, name, size };
  return {
    service,
    link,
    listed,
    relist: createRelist({ settings: () => settings, dataFolder, log }),
    signal,
  };
}

test('finds the address of a post anew in the list of its source, where the list has moved', async () => {
  const { service, link, listed, relist, signal } = await setUp();
  service.posts.unshift(film('Big.Buck.Bunny.2008.1080p.WEB.x264-C'));
  await service.restart();
  const found = await relist(listed, signal);
  expect(link.url).toMatch(/:0$/);
  expect(found).toEqual({ url: link.url.replace(/:0$/, ':1'), headers: {} });
});

test('finds none where the post has left the list, or its source is no longer set up', async () => {
  const { service, listed, relist, signal } = await setUp();
  expect(await relist({ ...listed, source: 'another' }, signal)).toBeUndefined();
  service.posts.shift();
  await service.restart();
  expect(await relist(listed, signal)).toBeUndefined();
  expect(await relist({ what: 'nothing of ours' }, signal)).toBeUndefined();
});
