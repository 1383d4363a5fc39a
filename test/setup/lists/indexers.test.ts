import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSourceList } from '../../../src/settings/index.ts';
import { startLab } from '../../connections/labs.ts';
import type { RecordingHost } from '../../support/recording-host.ts';
import { act, KEYS, type Stage, stage } from '../stage.ts';

type Person = RecordingHost['person'];

const fileOf = ({ host }: Stage) => join(host.dataFolder, 'sources.json');
const write = (staged: Stage, value: unknown) => {
  writeFileSync(fileOf(staged), JSON.stringify({ version: 1, value }), { mode: 0o600 });
};
const written = (staged: Stage) =>
  (JSON.parse(readFileSync(fileOf(staged), 'utf8')) as { value: Record<string, unknown>[] }).value;
const names = async ({ host, log }: Stage) =>
  (await readSourceList(host.dataFolder, log)).entries.map(({ name }) => name);

const entry = (name: string, more: object = {}) => ({
  kind: 'newznab',
  name,
  url: 'http://127.0.0.1:1',
  apiKey: 'key-of-it',
  enabled: true,
  ...more,
});

async function listed(...entries: unknown[]) {
  const staged = await stage();
  write(staged, entries);
  return staged;
}

/** What is chosen of an entry, then out. */
const choose = (staged: Stage, at: number, what: string, then?: (person: Person) => Promise<unknown>) =>
  act('indexers', staged, async (person) => {
    await person.choose(`entry-${at}`);
    await person.choose(what);
    await then?.(person);
    await person.back();
  });

describe('adding', () => {
  test('one that is not known asks for address and key, names it by its host, tests it, and keeps it for its owner alone', async () => {
    const staged = await stage();
    await act('indexers', staged, async (person) => {
      await person.choose('add');
      await person.choose('newznab');
      await person.choose('other');
      await person.write(staged.sandbox.indexer.url);
      expect(await person.write(KEYS.indexerKey)).toMatchObject({ hidden: true });
      const name = new URL(staged.sandbox.indexer.url).host;
      expect((await person.goOn()).title).toBe(`${name} works`);
      expect((await person.waitFor('choice')).rows.map(({ label }) => label)).toEqual([name, 'Add']);
      await person.back();
    });
    expect(written(staged)).toEqual([
      entry(new URL(staged.sandbox.indexer.url).host, {
        url: staged.sandbox.indexer.url,
        apiKey: KEYS.indexerKey,
      }),
    ]);
    expect(statSync(fileOf(staged)).mode & 0o777).toBe(0o600);
  });

  test('a wrong key is told, and asked for again on the spot', async () => {
    const staged = await stage();
    await act('indexers', staged, async (person) => {
      await person.choose('add');
      await person.choose('newznab');
      await person.choose('other');
      await person.write(staged.sandbox.indexer.url);
      await person.write('wrong-key');
      expect((await person.confirm(true)).text).toContain('Most likely: API key.');
      await person.write(KEYS.indexerKey);
      await person.goOn();
      await person.back();
    });
    expect(written(staged)).toMatchObject([{ apiKey: KEYS.indexerKey }]);
  });

  test.each(['hydra', 'prowlarr'] as const)(
    'a wrong key of one of any kind is asked for where it is told: %s',
    async (kind) => {
      const { url, settings } = await startLab(kind);
      const staged = await stage();
      await act('indexers', staged, async (person) => {
        await person.choose('add');
        await person.choose(kind);
        await person.write(url);
        await person.write('wrong-key');
        expect((await person.confirm(true)).text).toContain('Most likely: API key.');
        await person.write(settings[`${kind}_api_key`]!);
        await person.goOn();
        await person.back();
      });
      expect(written(staged)).toMatchObject([{ kind, apiKey: settings[`${kind}_api_key`] }]);
    },
  );

  test.each([1, 2, 3])('that is given up after %i answers adds nothing', async (count) => {
    const staged = await stage();
    await act('indexers', staged, async (person) => {
      const answers = [
        () => person.choose('add'),
        () => person.choose('newznab'),
        () => person.choose('other'),
      ];
      for (const answer of answers.slice(0, count)) await answer();
      await person.back();
      expect((await person.waitFor('choice')).title).toBe('What is searched');
      await person.back();
    });
    expect(await names(staged)).toEqual([]);
  });

  test('goes back from value to value, and adds nothing when it is left', async () => {
    const staged = await stage();
    await act('indexers', staged, async (person) => {
      await person.choose('add');
      await person.choose('newznab');
      await person.choose('other');
      await person.write('http://indexer.example');
      expect((await person.back()).title).toBe('API key of indexer.example');
      expect(await person.back()).toMatchObject({ value: 'http://indexer.example' });
      await person.back();
    });
    expect(await names(staged)).toEqual([]);
  });

  test('takes an empty key for none: it may stand in the address', async () => {
    const staged = await stage();
    const url = `${staged.sandbox.indexer.url}?apikey=${encodeURIComponent(KEYS.indexerKey)}`;
    await act('indexers', staged, async (person) => {
      await person.choose('add');
      await person.choose('newznab');
      await person.choose('other');
      await person.write(url);
      await person.write('');
      expect((await person.goOn()).title).toBe(`${new URL(url).host} works`);
      await person.back();
    });
    expect(written(staged)).toMatchObject([{ url, apiKey: '' }]);
  });
});

describe('an entry', () => {
  test('is switched off and on', async () => {
    const staged = await listed(entry('One'));
    await choose(staged, 0, 'enabled');
    expect(written(staged)).toMatchObject([{ enabled: false }]);
    await choose(staged, 0, 'enabled');
    expect(written(staged)).toMatchObject([{ enabled: true }]);
  });

  test('changes its name, address and key, and nothing else of it', async () => {
    const staged = await listed(entry('One', { note: 'mine' }), entry('Two'));
    await choose(staged, 0, 'name', (person) => person.write('Uno'));
    await choose(staged, 0, 'url', (person) => person.write('indexer.example/api'));
    await choose(staged, 0, 'apiKey', (person) => person.write('another-key'));
    expect(written(staged)).toEqual([
      entry('Uno', { url: 'https://indexer.example/api', apiKey: 'another-key', note: 'mine' }),
      entry('Two'),
    ]);
    expect(JSON.stringify(staged.host.person.history)).not.toContain('another-key');
  });

  test('moves up and down', async () => {
    const staged = await listed(entry('One'), entry('Two'), entry('Three'));
    await choose(staged, 2, 'up');
    expect(await names(staged)).toEqual(['One', 'Three', 'Two']);
    await choose(staged, 0, 'down');
    expect(await names(staged)).toEqual(['Three', 'One', 'Two']);
  });

  test('goes when that is confirmed, and only then', async () => {
    const staged = await listed(entry('One'), entry('Two'));
    await choose(staged, 0, 'remove', (person) => person.confirm(false));
    expect(await names(staged)).toEqual(['One', 'Two']);
    await choose(staged, 0, 'remove', (person) => person.confirm(true));
    expect(await names(staged)).toEqual(['Two']);
  });

  test('of a Stremio add-on shows no address, for that is its key', async () => {
    const secret = 'http://addon.example/very-secret/manifest.json';
    const staged = await listed(entry('Add-on', { kind: 'stremio', url: secret }));
    await act('indexers', staged, async (person) => {
      await person.choose('entry-0');
      await person.back();
      await person.back();
    });
    expect(JSON.stringify(staged.host.person.history)).not.toContain('very-secret');
  });
});

describe('what was written by hand', () => {
  test('and cannot be read stays where it is, and says why', async () => {
    const broken = { kind: 'newznab', name: 'Typo', ulr: 'http://x' };
    const staged = await listed(broken, entry('One'));
    await act('indexers', staged, async (person) => {
      const { rows } = await person.choose('entry-1');
      expect(rows[0]).toMatchObject({ detail: expect.stringContaining('its "url" is missing') as string });
      await person.choose('enabled');
      await person.back();
    });
    expect(written(staged)).toEqual([broken, entry('One', { enabled: false })]);
  });

  test('and is no JSON is not written over', async () => {
    const staged = await stage();
    writeFileSync(fileOf(staged), '{"version": 1, "value": [ {"kind": ');
    await expect(act('indexers', staged, () => Promise.resolve())).rejects.toMatchObject({
      code: 'STORE_FAILED',
    });
    expect(readFileSync(fileOf(staged), 'utf8')).toBe('{"version": 1, "value": [ {"kind": ');
  });
});

test('those of the settings stand first, and are changed there', async () => {
  const staged = await listed(entry('Two'));
  Object.assign(staged.host.settings, { hydra_url: 'http://127.0.0.1:1', hydra_api_key: 'key-of-hydra' });
  await act('indexers', staged, async (person) => {
    const { rows } = await person.choose('hydra');
    expect(rows.map(({ label }) => label)).toEqual(['NZBHydra2', 'Two', 'Add']);
    await person.choose('hydra_url');
    await person.write('192.168.1.10:5076');
    await person.back();
  });
  expect(staged.host.settings['hydra_url']).toBe('http://192.168.1.10:5076');
});
