import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAioStreams } from '../../sandbox/direct-stream/aiostreams/index.ts';
import { type StreamNzbOptions, startStreamNzb } from '../../sandbox/direct-stream/streamnzb/index.ts';
import { CANARY, whenQuery } from '../../sandbox/index.ts';
import { SPRING } from './set-up.ts';
import { startWhole, type Whole } from './whole.ts';

/** Add-ons that know the NZBs of what they list (protocols.md §8.9, §8.11), before an indexer and a backend. */
const ADDONS = {
  AIOStreams: startAioStreams,
  StreamNZB: (settings: StreamNzbOptions) =>
    startStreamNzb(settings).then((service) => ({ ...service, addon: service.addon() })),
};
type Name = keyof typeof ADDONS;
const NAMES = Object.keys(ADDONS) as Name[];

/** The pipeline, whose only source is the add-on; that searches the sandbox's indexer. */
async function behindAddon(name: Name) {
  const p: Whole = await startWhole({ settings: { indexer_url: '', indexer_api_key: '' } });
  onTestFinished(() => p.close());
  const addon = await ADDONS[name]({ indexerAt: p.sandbox.indexer });
  onTestFinished(() => addon.close());
  p.host.settings['stremio_url'] = addon.addon;
  return { p, addon };
}

async function onDisk(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(read)).join('\n');
}

test.each(NAMES)('what %s lists is played by the person’s own backend, from its NZB', async (name) => {
  const { p, addon } = await behindAddon(name);
  expect(await p.resolve(SPRING)).toBe(true);
  expect(p.sandbox.requests.filter(whenQuery('t', 'get'))).toHaveLength(1);
  expect(p.sandbox.requests.filter(whenQuery('t', 'search'))).toHaveLength(0);
  expect(p.sandbox.requests.filter(whenQuery('mode', 'addfile'))).toHaveLength(1);
  expect(addon.requests.filter(({ path }) => path.startsWith('/api/'))).toHaveLength(1);
  expect(addon.requests.filter(({ path }) => /\/(?:play|playback|stream)\//.test(path))).toEqual([]);
});

test.each(NAMES)(
  'a film of which no id is known is told as that where %s is all that searches',
  async (name) => {
    const { p } = await behindAddon(name);
    expect(await p.resolve('?type=movie&title=Spring&year=2019')).toBe(false);
    expect(p.host.notified).toMatchObject([
      {
        what: expect.stringMatching(
          / by IMDb or TMDb id only, and none is known of Spring \(2019\)\.$/,
        ) as string,
      },
    ]);
  },
);

test.each(NAMES)('the key of an indexer behind %s is in no log and no file', async (name) => {
  const { p } = await behindAddon(name);
  expect(await p.resolve(SPRING)).toBe(true);
  const left = [p.log.lines.join('\n'), await onDisk(p.host.dataFolder)];
  for (const text of left) {
    expect(text).not.toBe('');
    expect(text).not.toContain(CANARY.indexerKey);
    expect(text).not.toContain(encodeURIComponent(CANARY.indexerKey));
  }
});
