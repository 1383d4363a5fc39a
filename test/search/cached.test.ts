import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SlipstreamError } from '../../src/errors/index.ts';
import { type MediaRequest, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import { type CachedSearchOptions, cachedSearch } from '../../src/search/cached.ts';
import { openRests } from '../../src/search/rest.ts';
import { memoryLog } from '../support/log.ts';
import { newFolder } from './folder.ts';
import { posting } from './posts.ts';
import { answer, type FakeSource, fakeSource } from './sources.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587' } };
const KEY = 'f00dfeedcafe0123';
const parseName = (name: string) => {
  const [title = '', year = ''] = name.split('.');
  return { ...UNKNOWN_QUALITY, title, year: Number(year) };
};

let number = 0;
const listed = (source: string, guid: string, name: string) =>
  posting({
    source,
    guid,
    name,
    url: `https://x.example/get/${guid}?apikey=${KEY}`,
    size: 1000,
    posted: 5000,
  });
const source = (): FakeSource => {
  const id = `c${++number}`;
  return fakeSource(id, () => answer([listed(id, '1', 'Sintel.2010.A'), listed(id, '2', 'Spring.2019.B')]));
};

function openTest(folder: string, ...sources: FakeSource[]) {
  const search = async (request = FILM, more: Partial<CachedSearchOptions> = {}) => {
    const running = await cachedSearch(request, sources, {
      signal: new AbortController().signal,
      log: memoryLog(),
      rests: openRests({ folder, log: memoryLog() }),
      loadParser: () => Promise.resolve(parseName),
      patience: { spacing: 0 },
      folder,
      secrets: Object.fromEntries(sources.map(({ id }) => [id, [KEY]])),
      ...more,
    });
    onTestFinished(() => running.close());
    return running;
  };
  const whole = async (request?: MediaRequest, more?: Partial<CachedSearchOptions>) => {
    const running = await search(request, more);
    await running.finished;
    await running.close();
    return running;
  };
  return { search, whole };
}

describe('a search that was made not long ago', () => {
  it('is answered at once, with everything that it found, and tells its age', async () => {
    const asked = source();
    const { search, whole } = openTest(await newFolder(), asked);
    const first = await whole();
    expect(first.age).toBeUndefined();
    const queries = asked.queries.length;
    const second = await search();
    expect(second.age).toBeGreaterThanOrEqual(0);
    expect(second.state.releases).toEqual(first.state.releases);
    expect(second.state.setAside).toEqual(first.state.setAside);
    expect(second.state.finished).toBe(true);
    await second.enough;
    await second.finished;
    expect(asked.queries).toHaveLength(queries);
  });

  it('leaves no secret on the disk', async () => {
    const folder = await newFolder();
    const { whole } = openTest(folder, source());
    await whole();
    const files = await readdir(join(folder, 'searches'));
    expect(files).toHaveLength(1);
    for (const file of files) {
      const path = join(folder, 'searches', file);
      expect(await readFile(path, 'utf8')).not.toContain(KEY);
      expect((await stat(path)).mode & 0o077).toBe(0);
    }
  });

  it.each<[string, Partial<MediaRequest>, Partial<CachedSearchOptions>]>([
    ['another film', { title: 'Spring', year: 2019 }, {}],
    ['another id', { ids: { imdb: 'tt2' } }, {}],
    ['packs', {}, { packs: true }],
    ['no cache', {}, { cacheAge: 0 }],
  ])('is made again for %s', async (_, request, more) => {
    const asked = source();
    const { whole } = openTest(await newFolder(), asked);
    await whole();
    const queries = asked.queries.length;
    expect((await whole({ ...FILM, ...request }, more)).age).toBeUndefined();
    expect(asked.queries.length).toBeGreaterThan(queries);
  });

  it('is made again at other sources', async () => {
    const folder = await newFolder();
    const one = source();
    await openTest(folder, one).whole();
    expect((await openTest(folder, one, source()).whole()).age).toBeUndefined();
  });

  it('is made again when it is too old, sooner when a source had failed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const broken = fakeSource(`c${++number}`, () =>
      Promise.reject(new SlipstreamError('BAD_ANSWER', { what: 'No.', next: 'Look.' })),
    );
    const ages = async (...sources: FakeSource[]) => {
      const { whole } = openTest(await newFolder(), ...sources);
      await whole();
      const age = async (ms: number) => {
        vi.setSystemTime(Date.now() + ms);
        return (await whole(FILM)).age !== undefined;
      };
      return [await age(50_000), await age(20_000)];
    };
    expect(await ages(source())).toEqual([true, true]);
    expect(await ages(source(), broken)).toEqual([true, false]);
  });

  it('is not kept when nothing that fits was found', async () => {
    const folder = await newFolder();
    const { whole } = openTest(
      folder,
      fakeSource(`c${++number}`, () => answer()),
    );
    await whole();
    expect(await readdir(folder)).not.toContain('searches');
  });

  it('takes the place of those that are too old', async () => {
    const folder = await newFolder();
    const { whole } = openTest(folder, source());
    const place = join(folder, 'searches');
    for (let year = 1900; year < 1902; year++)
      await whole({ ...FILM, title: 'Sintel (2010)', year: 2010, ids: { imdb: `tt${year}` } });
    const old = new Date(Date.now() - 3_600_000);
    for (const file of await readdir(place)) await utimes(join(place, file), old, old);
    await whole();
    expect(await readdir(place)).toHaveLength(1);
  });
});
