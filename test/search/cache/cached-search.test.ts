import { readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ErrorCode, SlipstreamError } from '../../../src/errors/index.ts';
import { pause } from '../../../src/io/wait.ts';
import { type MediaRequest, UNKNOWN_QUALITY } from '../../../src/model/index.ts';
import { type CachedSearchOptions, cachedSearch } from '../../../src/search/cache/cached-search.ts';
import { openSearchCache } from '../../../src/search/cache/search-cache.ts';
import { openCooldowns } from '../../../src/search/run/cooldown.ts';
import { sourceWithRefusedKey, statusLine } from '../../../src/search/run/status-text.ts';
import { memoryLog } from '../../support/log.ts';
import { newFolder } from '../folder.ts';
import { posting } from '../posts.ts';
import { ALL_ABILITIES, answer, type FakeSource, fakeSource, hang } from '../sources.ts';

const FILM: MediaRequest = { kind: 'movie', title: 'Sintel', year: 2010, ids: { imdb: 'tt1727587' } };
const live = () => new AbortController().signal;
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
      cooldowns: openCooldowns({ folder, log: memoryLog() }),
      loadParser: () => Promise.resolve(parseName),
      timeouts: { querySpacing: 0 },
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
    expect(second.state.rejected).toEqual(first.state.rejected);
    expect(second.state.finished).toBe(true);
    await second.ready;
    await second.finished;
    expect(asked.queries).toHaveLength(queries);
  });

  it.each(['before it has ended', 'after that', 'when it was gone back to'])(
    'is forgotten when it led nowhere: %s',
    async (when) => {
      const asked = source();
      const { search, whole } = openTest(await newFolder(), asked);
      const running = await search();
      if (when === 'before it has ended') await running.forget();
      await running.finished;
      await running.close();
      if (when === 'after that') await running.forget();
      if (when === 'when it was gone back to') await (await whole()).forget();
      expect((await whole()).age).toBeUndefined();
    },
  );

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

  const failing = (code: ErrorCode) =>
    fakeSource(`c${++number}`, () =>
      Promise.reject(new SlipstreamError(code, { what: 'No.', next: 'Look.' })),
    );

  it('is made again when it is too old, also when what was missing was asked for meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const start = Date.now();
    const ages = async (...sources: FakeSource[]) => {
      // Files have the times of the real clock.
      vi.setSystemTime(start);
      const { whole } = openTest(await newFolder(), ...sources);
      await whole();
      const age = async (ms: number) => {
        vi.setSystemTime(Date.now() + ms);
        return (await whole(FILM)).age !== undefined;
      };
      return [await age(300_000), await age(250_000), await age(60_000)];
    };
    expect(await ages(source())).toEqual([true, true, false]);
    expect(await ages(source(), failing('AUTH_FAILED'))).toEqual([true, true, false]);
    expect(await ages(source(), failing('BAD_ANSWER'))).toEqual([true, true, false]);
  });

  it('says again who had failed, and how old it is', async () => {
    const refused = failing('AUTH_FAILED');
    const { whole } = openTest(await newFolder(), source(), refused);
    const first = await whole();
    const second = await whole();
    expect(second.age).toBeDefined();
    expect(statusLine(second.state)).toBe(`found less than a minute ago · ${statusLine(first.state)}`);
    expect(sourceWithRefusedKey(second.state)?.source.id).toBe(refused.id);
    expect(sourceWithRefusedKey(second.state)?.failure.explanation).toEqual({ what: 'No.', next: 'Look.' });
  });

  it('says again who rests, and asks it, and nobody else, when the rest is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const limited = fakeSource(`c${++number}`, () =>
      Promise.reject(
        new SlipstreamError('RATE_LIMITED', { what: 'No.', next: 'Wait.' }, { retryAfter: 30_000 }),
      ),
    );
    const other = source();
    const { whole } = openTest(await newFolder(), other, limited);
    await whole();
    const second = await whole();
    expect(second.age).toBeDefined();
    expect(statusLine(second.state)).toMatch(/its limit is reached/);
    expect(limited.queries).toHaveLength(1);
    vi.setSystemTime(Date.now() + 31_000);
    const asked = other.queries.length;
    await whole();
    expect([other.queries.length, limited.queries.length]).toEqual([asked, 2]);
  });

  it('is made again when the key that was refused has been changed', async () => {
    const refused = failing('AUTH_FAILED');
    const one = source();
    const { whole } = openTest(await newFolder(), one, refused);
    await whole();
    const secrets = { [one.id]: [KEY], [refused.id]: ['another-key-01'] };
    expect((await whole(FILM, { secrets })).age).toBeUndefined();
  });

  it('asks again only who had failed, and adds what it finds to what was found', async () => {
    const id = `c${++number}`;
    let answers = false;
    const wavering = fakeSource(id, () => {
      if (!answers) throw new SlipstreamError('BAD_ANSWER', { what: 'No.', next: 'Look.' });
      return answer([listed(id, '3', 'Sintel.2010.C')]);
    });
    const other = source();
    const { whole } = openTest(await newFolder(), other, wavering);
    const first = await whole();
    expect(first.state.releases.map(({ name }) => name)).toEqual(['Sintel.2010.A']);
    const asked = other.queries.length;
    answers = true;
    const second = await whole();
    expect(second.state.releases.map(({ name }) => name).toSorted()).toEqual([
      'Sintel.2010.A',
      'Sintel.2010.C',
    ]);
    expect(second.state.rejected).toEqual(first.state.rejected);
    expect(second.state.sources.map(({ state, found }) => [state, found])).toEqual([
      ['answered', first.state.sources[0]?.found],
      ['answered', 1],
    ]);
    expect(statusLine(second.state)).toBe('found less than a minute ago');
    expect(other.queries).toHaveLength(asked);
    const queries = wavering.queries.length;
    expect((await whole()).state.releases).toHaveLength(2);
    expect(wavering.queries).toHaveLength(queries);
  });

  it('asks those again who had not answered when the person chose', async () => {
    // It is asked later than the other has answered: what it can do takes a while to learn.
    const slow = {
      ...fakeSource(`c${++number}`, hang),
      abilities: () => pause(30, live()).then(() => ALL_ABILITIES),
    };
    const { search } = openTest(await newFolder(), source(), slow);
    const patience = { querySpacing: 0, graceForFew: 0 };
    const first = await search(FILM, { timeouts: patience });
    await first.ready;
    await first.close();
    const asked = slow.queries.length;
    const second = await search(FILM, { timeouts: patience });
    expect(second.age).toBeDefined();
    await second.ready;
    expect(second.state.releases).toHaveLength(1);
    await expect.poll(() => slow.queries.length).toBeGreaterThan(asked);
  });

  it('says what of it could not be kept', async () => {
    const id = `c${++number}`;
    const foreign = posting({
      source: id,
      guid: '9',
      name: 'Sintel.2010.F',
      url: 'https://y.example/?hash=01',
    });
    const long = posting({
      source: id,
      guid: '8',
      name: 'Sintel.2010.L',
      url: `https://x.example/${'a'.repeat(8200)}`,
    });
    const odd = { ...listed(id, '7', 'Sintel.2010.O'), posted: 1e300 };
    const good = listed(id, '1', 'Sintel.2010.A');
    const log = memoryLog();
    const { whole } = openTest(
      await newFolder(),
      fakeSource(id, () => answer([foreign, long, odd, good])),
    );
    await whole(FILM, { log });
    const second = await whole(FILM, { log });
    expect(second.state.releases.map(({ name }) => name)).toEqual(['Sintel.2010.A']);
    expect(statusLine(second.state)).toBe('found less than a minute ago · 3 links of it not kept');
    expect(log.lines.join('\n')).toMatch(/3 of 4 links cannot be kept/);
  });

  it('keeps no link that plays, whoever has listed it', async () => {
    const folder = await newFolder();
    const id = `c${++number}`;
    const plain = listed(id, '2', 'Sintel.2010.P');
    const plays = {
      ...plain,
      link: { ...plain.link, url: 'https://a.example/play/1', plays: true as const },
    };
    const { whole } = openTest(
      folder,
      fakeSource(id, () => answer([listed(id, '1', 'Sintel.2010.A'), plays])),
    );
    await whole();
    expect((await whole()).state.releases.map(({ name }) => name)).toEqual(['Sintel.2010.A']);
    const [file = ''] = await readdir(join(folder, 'searches'));
    expect(await readFile(join(folder, 'searches', file), 'utf8')).not.toContain('a.example');
  });

  it.each([
    ['more links than are read again', 1, 250, 60],
    ['more bytes than a document may have', 2_000, 9, 600],
  ])('is kept as far as it goes with %s', async (_, releases, links, length) => {
    const key = { request: FILM, sources: ['a'], packs: false };
    const cache = openSearchCache({ folder: await newFolder(), log: memoryLog(), secrets: {} });
    const link = { url: `https://x.example/${'a'.repeat(length)}`, guid: '1', indexer: 'X', source: 'a' };
    const found = Array.from({ length: releases }, (_each, index) => ({
      name: `Sintel.2010.${index}`,
      links: [link, ...Array.from({ length: links - 1 }, () => link)] as const,
      quality: UNKNOWN_QUALITY,
    }));
    const status = { id: 'a', name: 'A', state: 'answered', found: 1, fitting: 1, partial: [] } as const;
    await cache.write(key, { releases: found, rejected: [], sources: [status] });
    const kept = await cache.read(key);
    expect(kept?.releases[0]?.name).toBe('Sintel.2010.0');
    expect(kept?.lost).toBeGreaterThan(0);
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
