import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/connections/service.ts';
import { deferred } from '../../../src/io/deferred.ts';
import { SETTINGS } from '../../../src/settings/index.ts';
import { readSourceList } from '../../../src/settings/source-list.ts';
import { memoryLog } from '../../support/log.ts';
import { type Answer, phoneStage, type Stage } from './stage.ts';

const isGone = (stage: Stage) =>
  stage.ask('/').then(
    () => false,
    () => true,
  );

type Told = {
  readonly settings: readonly Record<string, unknown>[];
  readonly services: readonly Record<string, unknown>[];
  readonly pages: readonly { readonly groups: readonly { readonly rows: readonly string[] }[] }[];
  readonly sources: readonly Record<string, unknown>[];
};

describe('the page', () => {
  it('is told of every setting of the table, once, with its value, and of every service', async () => {
    const stage = await phoneStage({ settings: { indexer_name: 'Example', search_timeout: '20' } });
    await stage.pair();
    const told = (await stage.send('/api/settings')).json() as Told;
    const ids = SETTINGS.map(({ id }) => id);
    expect(told.settings.map(({ id }) => id)).toEqual(ids);
    expect(told.pages.flatMap(({ groups }) => groups.flatMap(({ rows }) => rows))).toEqual(ids);
    expect(told.settings.find(({ id }) => id === 'indexer_name')).toMatchObject({ value: 'Example' });
    expect(told.settings.find(({ id }) => id === 'search_timeout')).toMatchObject({ value: 20 });
    for (const { fields } of told.services as unknown as readonly Service[])
      for (const { setting } of fields) expect(ids).toContain(setting);
  });
});

describe('a network that knows IPv6 only', () => {
  it('has its address in brackets', async () => {
    const stage = await phoneStage({ phone: { address: '::1' } });
    expect(stage.authority).toMatch(/^\[::1\]:\d+$/);
    expect((await stage.pair()).status).toBe(200);
  });
});

describe('what is saved', () => {
  it('is what was entered, as the host stores it, and nothing else', async () => {
    const stage = await phoneStage({ settings: { indexer_name: 'Before', webdav_username: 'admin' } });
    await stage.pair();
    const values = {
      indexer_name: ' Example ',
      search_timeout: 33,
      indexer_api_key: 'k',
      playback_backend: 'nzbget',
    };
    expect((await stage.send('/api/settings', { values })).status).toBe(200);
    expect(stage.host.settings).toEqual({
      webdav_username: 'admin',
      indexer_name: 'Example',
      search_timeout: '33',
      indexer_api_key: 'k',
      playback_backend: 'nzbget',
    });
    expect((await stage.send('/api/settings', { values: { indexer_api_key: '' } })).status).toBe(200);
    expect(stage.host.settings).toMatchObject({ indexer_api_key: '' });
  });

  it('may be an address as people type it', async () => {
    const stage = await phoneStage();
    await stage.pair();
    const values = { webdav_api_url: '192.168.1.10:3000', indexer_url: 'indexer.example' };
    await stage.send('/api/settings', { values });
    expect(stage.host.settings).toEqual({
      webdav_api_url: 'http://192.168.1.10:3000',
      indexer_url: 'https://indexer.example',
    });
  });

  it('is what it was to begin with where nothing is entered for what there always is', async () => {
    const stage = await phoneStage({ settings: { webdav_username: 'me', webdav_movie_category: 'films' } });
    await stage.pair();
    const values = { webdav_username: '', webdav_movie_category: ' ', webdav_url: '' };
    expect((await stage.send('/api/settings', { values })).status).toBe(200);
    expect(stage.host.settings).toEqual({
      webdav_username: 'admin',
      webdav_movie_category: 'movies',
      webdav_url: '',
    });
  });

  const REFUSED: readonly [string, Record<string, unknown>, string | undefined][] = [
    ['an id that is no setting', { made_up: 'x' }, undefined],
    ['an id of every object', { __proto__x: 'x', constructor: 'x' }, undefined],
    ['too small a number', { search_timeout: -1 }, 'search_timeout'],
    ['too large a number', { search_timeout: 1_000_000 }, 'search_timeout'],
    ['a broken number', { search_timeout: 10.5 }, 'search_timeout'],
    ['a number as text', { search_timeout: '10' }, 'search_timeout'],
    ['a choice that is none', { playback_backend: 'other' }, 'playback_backend'],
    ['two lines', { indexer_name: 'a\nb' }, 'indexer_name'],
    ['a text without end', { indexer_name: 'x'.repeat(5_000) }, 'indexer_name'],
    ['a switch for a text', { indexer_name: true }, 'indexer_name'],
  ];
  it.each(REFUSED)('is nothing at all for %s', async (_name, values, setting) => {
    const stage = await phoneStage({ settings: { indexer_name: 'Before' } });
    await stage.pair();
    const answer = await stage.send('/api/settings', { values: { tmdb_api_key: 'fine', ...values } });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'INVALID_REQUEST', what: expect.any(String) as string });
    expect(answer.json()['setting']).toBe(setting);
    expect(stage.host.settings).toEqual({ indexer_name: 'Before' });
  });
});

describe('the list of further sources', () => {
  const entry = { kind: 'newznab', name: 'Example', url: 'http://127.0.0.1:9/', enabled: true };
  const stored = async (stage: Stage) => (await readSourceList(stage.host.dataFolder, memoryLog())).entries;

  it('is added to, changed without its key, and taken from; the key is never told', async () => {
    const stage = await phoneStage();
    await stage.pair();
    await stage.send('/api/settings');
    const added = await stage.send('/api/sources', { ...entry, apiKey: 'canary-1' });
    expect(added.json()['sources']).toEqual([{ ...entry, hasUrl: true, hasKey: true }]);
    await stage.send('/api/sources', { ...entry, index: 0, name: 'Renamed', enabled: false });
    expect(await stored(stage)).toEqual([{ ...entry, name: 'Renamed', enabled: false, apiKey: 'canary-1' }]);
    const removed = await stage.send('/api/sources/remove', { index: 0 });
    expect(removed.json()['sources']).toEqual([]);
    expect(await stored(stage)).toEqual([]);
    expect(added.text + removed.text).not.toContain('canary-1');
  });

  it('is called as its host without a name, and says at its field what is wrong', async () => {
    const stage = await phoneStage();
    await stage.pair();
    await stage.send('/api/settings');
    const added = await stage.send('/api/sources', { ...entry, name: '', url: 'nzb.example/api' });
    expect(added.json()['sources']).toMatchObject([{ name: 'nzb.example' }]);
    for (const [wrong, field] of [
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ url: '' }, 'url'],
      [{ url: 'http://a b' }, 'url'],
      [{ url: `http://a.example/${'x'.repeat(2_000)}` }, 'url'],
      [{ apiKey: 'a\u0000b' }, 'apiKey'],
    ] as const) {
      const answer = await stage.send('/api/sources', { ...entry, ...wrong });
      expect([answer.status, answer.json()]).toMatchObject([400, { field }]);
      expect(answer.text).not.toMatch(/scan|code on the TV/i);
    }
    expect(await stored(stage)).toHaveLength(1);
  });

  it('keeps addresses that hold a key, and keys of another machine, to itself', async () => {
    const stage = await phoneStage();
    await stage.pair();
    const addon = {
      kind: 'stremio',
      name: 'Add-on',
      url: 'https://a.example/canary-2/manifest.json',
      enabled: true,
    };
    await stage.send('/api/sources', addon);
    const told = await stage.send('/api/sources', {
      ...entry,
      url: 'http://a.example/?apikey=canary-3',
      apiKey: 'k',
    });
    expect(told.text).not.toMatch(/canary/);
    expect(told.json()['sources']).toMatchObject([{ hasUrl: true }, { hasUrl: true, hasKey: true }]);
    const elsewhere = { ...entry, url: 'http://b.example/', index: 1 };
    for (const path of ['/api/sources', '/api/sources/test'])
      expect((await stage.send(path, elsewhere)).json()).toMatchObject({
        next: expect.stringContaining('key again') as string,
      });
    expect((await stored(stage))[1]).toMatchObject({ url: 'http://a.example/?apikey=canary-3' });
  });

  it('never tells an add-on’s address by calling it something else', async () => {
    const stage = await phoneStage();
    await stage.pair();
    const url = 'https://a.example/canary-5/stremio';
    await stage.send('/api/sources', { kind: 'stremio', name: 'Add-on', url, enabled: true });
    const asAnother = { kind: 'newznab', name: 'Mine', enabled: true, index: 0 };
    for (const path of ['/api/sources', '/api/sources/test']) {
      const answer = await stage.send(path, asAnother);
      expect([answer.status, answer.text]).toEqual([400, expect.not.stringContaining('canary-5') as string]);
    }
    const moved = await stage.send('/api/sources', { ...asAnother, url: 'http://b.example/' });
    expect(moved.json()['sources']).toMatchObject([{ kind: 'newznab', url: 'http://b.example/' }]);
  });

  it('is tested before it is saved, by the same test as everywhere', async () => {
    const stage = await phoneStage();
    await stage.pair();
    const answer = await stage.send('/api/sources/test', { ...entry, apiKey: 'canary-4' });
    expect(answer.json()).toMatchObject({ checks: [{ failure: { code: 'UNREACHABLE' } }] });
    expect(await stored(stage)).toEqual([]);
  });

  it('that cannot be read keeps nobody from the rest, says so, and stays as it is', async () => {
    const stage = await phoneStage();
    const file = join(stage.host.dataFolder, 'sources.json');
    writeFileSync(file, '{ "version": 1, "value": [ }');
    await stage.pair();
    const told = await stage.send('/api/settings');
    const said = expect.stringContaining('sources.json cannot be read') as string;
    expect([told.status, told.json()]).toMatchObject([200, { sources: [{ problem: said, hasUrl: false }] }]);
    for (const [path, body] of [
      ['/api/sources', entry],
      ['/api/sources', { ...entry, index: 0 }],
      ['/api/sources/remove', { index: 0 }],
    ] as const)
      expect((await stage.send(path, body)).json()).toMatchObject({ code: 'STORE_FAILED', what: said });
    expect(readFileSync(file, 'utf8')).toBe('{ "version": 1, "value": [ }');
  });

  it('is not changed when it is no longer what was shown', async () => {
    const one = await phoneStage();
    const other = await phoneStage({ dataFolder: one.host.dataFolder });
    for (const stage of [one, other]) {
      await stage.pair();
      await stage.send('/api/settings');
    }
    await one.send('/api/sources', entry);
    const late = await other.send('/api/sources', { ...entry, name: 'Late' });
    expect([late.status, late.json()]).toMatchObject([409, { code: 'BUSY' }]);
    expect(await stored(one)).toHaveLength(1);
    expect((await other.send('/api/sources/remove', { index: 3 })).status).toBe(409);
  });
});

describe('the end', () => {
  it('comes when the phone is done; the TV has told what happened', async () => {
    const stage = await phoneStage();
    await stage.pair();
    await stage.send('/api/settings', { values: { indexer_name: 'Example' } });
    const told = () => stage.host.person.history.map((asked) => (asked.kind === 'card' ? asked.status : ''));
    await expect.poll(told).toContainEqual(expect.stringMatching(/^Saved\./));
    expect(told()[0]).toBe('Waiting for your phone. 10 minutes left.');
    expect((await stage.send('/api/done', {})).status).toBe(200);
    await stage.over;
    expect(await isGone(stage)).toBe(true);
    expect(stage.host.open()).toBe(0);
  });

  it('is put off by what the phone sends, but not by its questions', async () => {
    const stage = await phoneStage({ phone: { lifetime: { idle: 5_000 } } });
    await stage.pair();
    const told = (answer: Answer) => String(answer.headers['slipstream-time-left']).split(' ').map(Number);
    const left = async () => told(await stage.send('/api/settings'))[0]!;
    const before = await left();
    await expect.poll(left).toBeLessThan(before - 200);
    const [least, most] = told(await stage.send('/api/stay', {}));
    expect(least).toBeGreaterThan(before - 200);
    expect(most).toBeGreaterThan(3_500_000);
    const refused = await stage.send('/api/test', { service: 'none', values: {} });
    expect([refused.status, told(refused)[0]]).toEqual([400, expect.closeTo(5_000, -3)]);
  });

  it('is not put off by wrong codes', async () => {
    const stage = await phoneStage({ phone: { lifetime: { idle: 1_500 } } });
    for (let tries = 0; tries < 3; tries++) {
      await stage.pair(stage.code === '000000' ? '000001' : '000000').catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    expect(await isGone(stage)).toBe(true);
  });

  it('comes by itself when the time is over', async () => {
    const stage = await phoneStage({ phone: { lifetime: { idle: 600 } } });
    expect(await isGone(stage)).toBe(false);
    const { person } = stage.host;
    await expect.poll(async () => (await person.asked()).kind).toBe('page');
    const told = await person.goOn();
    expect(told.text).toContain('The time for the page on the phone is up.');
    await stage.over;
    expect(await isGone(stage)).toBe(true);
    expect(stage.host.open()).toBe(0);
  });

  it('comes when the person goes back on the TV, with every connection', async () => {
    const stage = await phoneStage();
    await stage.host.person.back();
    await stage.over;
    expect(await isGone(stage)).toBe(true);
  });

  it('waits for what is being stored: nothing is written after it', async () => {
    const stage = await phoneStage();
    await stage.pair();
    const asked = deferred<undefined>();
    const stored = deferred<undefined>();
    stage.host.writeSettings = () => {
      asked.resolve(undefined);
      return stored.promise;
    };
    const answer = stage.send('/api/settings', { values: { indexer_name: 'Example' } }).catch(() => 'gone');
    await asked.promise;
    await stage.host.person.back();
    expect(await answer).toBe('gone');
    let isOver = false;
    const over = stage.over.then(() => {
      isOver = true;
    });
    await expect.poll(() => isGone(stage)).toBe(true);
    expect(isOver).toBe(false);
    stored.resolve(undefined);
    await over;
  });

  it('comes when the host wants us gone', async () => {
    const stage = await phoneStage();
    stage.abort();
    await expect(stage.over).rejects.toThrow('gone');
    expect(await isGone(stage)).toBe(true);
    expect(stage.host.open()).toBe(0);
  });
});
