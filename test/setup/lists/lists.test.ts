import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_CRITERIA, readPreferenceLists } from '../../../src/release/index.ts';
import { openPathMappings } from '../../../src/settings/index.ts';
import { runAction } from '../../../src/setup/index.ts';
import { serve } from '../../support/http-server.ts';
import { act, during, type Stage, stage } from '../stage.ts';

const put = ({ host }: Stage, name: string, text: string) => {
  mkdirSync(join(host.dataFolder, 'formats'), { recursive: true });
  writeFileSync(join(host.dataFolder, name), text);
};
const valueOf = ({ host }: Stage, name: string): unknown =>
  (JSON.parse(readFileSync(join(host.dataFolder, name), 'utf8')) as { value: unknown }).value;
const lists = ({ host, log }: Stage) => readPreferenceLists(host.dataFolder, log);

describe('path mappings', () => {
  const mappings = ({ host, log }: Stage) => openPathMappings(host.dataFolder, log).read();

  test('are added, changed and removed', async () => {
    const staged = await stage();
    await act('mappings', staged, async (person) => {
      await person.choose('add');
      await person.write('/downloads/series');
      await person.write('smb://nas/series');
      await person.choose('entry-0');
      await person.choose('to');
      expect(await person.write('nfs://nas/series')).toMatchObject({ value: 'smb://nas/series' });
      await person.back();
    });
    expect(await mappings(staged)).toEqual([{ from: '/downloads/series', to: 'nfs://nas/series' }]);
    await act('mappings', staged, async (person) => {
      await person.choose('entry-0');
      await person.choose('remove');
      await person.confirm(true);
      await person.back();
    });
    expect(await mappings(staged)).toEqual([]);
  });

  test('keep what cannot be read of them', async () => {
    const staged = await stage();
    put(staged, 'path-mappings.json', JSON.stringify({ version: 1, value: [{ form: '/typo' }] }));
    await act('mappings', staged, async (person) => {
      await person.choose('add');
      await person.write('/a');
      await person.write('/b');
      await person.back();
    });
    expect(valueOf(staged, 'path-mappings.json')).toEqual([{ form: '/typo' }, { from: '/a', to: '/b' }]);
  });

  test('are tested by NZBGet’s own test', async () => {
    const staged = await stage({ settings: { nzbget_url: 'http://127.0.0.1:1' } });
    await act('mappings', staged, async (person) => {
      await person.choose('test');
      expect((await person.confirm(false)).title).toBe('NZBGet does not work');
      await person.choose('leave');
      await person.back();
    });
  });
});

describe('the order of the criteria', () => {
  test('changes one by one, beginning with the usual one', async () => {
    const staged = await stage();
    await act('order', staged, async (person) => {
      await person.choose('size');
      await person.choose('top');
      await person.choose('camera');
      await person.choose('down');
      await person.choose('3d');
      await person.choose('remove');
      await person.choose('add');
      await person.choose('age');
      await person.back();
    });
    const rest = DEFAULT_CRITERIA.filter((id) => !['size', 'camera', '3d'].includes(id));
    const [first, ...others] = rest;
    expect((await lists(staged)).criteria).toEqual(['size', 'camera', first, ...others, 'age']);
    await act('order', staged, async (person) => {
      await person.choose('reset');
      await person.back();
    });
    expect((await lists(staged)).criteria).toEqual([]);
  });

  test('leaves everything else of its file as it is', async () => {
    const staged = await stage();
    const value = { minScore: 5, tiers: [['GRP']], mine: 1, formats: [{ broken: true }] };
    put(staged, 'preferences.json', JSON.stringify({ version: 1, value }));
    await act('order', staged, async (person) => {
      await person.choose('size');
      await person.choose('top');
      await person.back();
    });
    expect(valueOf(staged, 'preferences.json')).toMatchObject(value);
  });

  test('says so where it does not count', async () => {
    const staged = await stage({ settings: { sort_by: 'largest' } });
    await act('order', staged, async (person) => {
      expect((await person.goOn()).text).toContain('Best first');
      await person.back();
    });
  });

  test('does not touch a file that is no JSON, and says so', async () => {
    const staged = await stage();
    put(staged, 'preferences.json', '{"version": 1,');
    await act('order', staged, async (person) => {
      await person.choose('size');
      await person.choose('top');
      expect((await person.goOn()).text).toContain('preferences.json cannot be read');
      await person.back();
    });
    expect(readFileSync(join(staged.host.dataFolder, 'preferences.json'), 'utf8')).toBe('{"version": 1,');
  });
});

describe('custom formats', () => {
  const format = (name: string, score = 10) => ({
    name,
    score,
    specifications: [
      {
        name: 'words',
        implementation: 'ReleaseTitleSpecification',
        negate: false,
        required: true,
        fields: [{ name: 'value', value: 'x265' }],
      },
    ],
  });
  const scores = async (staged: Stage) =>
    Object.fromEntries((await lists(staged)).formats.map(({ name, score }) => [name, score]));

  test('are imported from a file, and what cannot be used is named', async () => {
    const staged = await stage();
    const bad = { ...format('Bad'), specifications: [{ name: 'x', implementation: 'Nonsense' }] };
    put(staged, 'export.json', JSON.stringify([format('Small', 0), format('Large'), bad]));
    await act('formats', staged, async (person) => {
      await person.choose('import');
      await person.write(join(staged.host.dataFolder, 'export.json'));
      const { text } = await person.goOn();
      expect(text).toContain('2 formats were taken.');
      expect(text).toContain('Small has no points yet');
      expect(text).toContain('Bad was left out');
      await person.back();
    });
    expect(await scores(staged)).toEqual({ Small: 0, Large: 10 });
  });

  test('that are imported again keep their points and stay switched off, where the file says nothing', async () => {
    const staged = await stage();
    put(staged, 'export.json', JSON.stringify([format('Small', 0), format('Large', 0)]));
    const importAgain = async (person: Stage['host']['person']) => {
      await person.choose('import');
      await person.write(join(staged.host.dataFolder, 'export.json'));
      await person.goOn();
    };
    await act('formats', staged, async (person) => {
      await importAgain(person);
      await person.choose('format-0');
      await person.choose('score');
      await person.write('25');
      await person.choose('format-1');
      await person.choose('enabled');
      await importAgain(person);
      const { rows } = await person.waitFor('choice');
      expect(rows.map(({ detail }) => detail)).toMatchObject(['25 points', 'Switched off, 0 points', {}]);
      await person.back();
    });
  });

  test('are imported from an address', async () => {
    const staged = await stage();
    const address = await serve((_, response) => response.end(JSON.stringify(format('Small'))));
    await act('formats', staged, async (person) => {
      await person.choose('import');
      await person.write(`${address}/export.json`);
      await person.goOn();
      await person.back();
    });
    expect(await scores(staged)).toEqual({ Small: 10 });
  });

  test.each(['/nowhere/at-all.json', 'http://127.0.0.1:1/x.json'])(
    'of %s there are none, and that is told',
    async (place) => {
      const staged = await stage();
      await act('formats', staged, async (person) => {
        await person.choose('import');
        await person.write(place);
        expect((await person.goOn()).title).toBe('Custom formats');
        await person.back();
      });
      expect(await scores(staged)).toEqual({});
    },
  );

  test('of a file server that does not speak are not waited for in the media centre', async () => {
    const staged = await stage();
    const opened: string[] = [];
    const files = {
      ...staged.host.files,
      read: (path: string) => {
        opened.push(path);
        return Promise.resolve(undefined);
      },
    };
    const context = { ...staged.context, host: { ...staged.host, files } };
    await during(runAction({ action: 'formats' }, context), staged, async (person) => {
      await person.choose('import');
      await person.write('smb://127.0.0.1:1/share/export.json');
      expect((await person.goOn()).text).toContain('127.0.0.1:1');
      await person.back();
    });
    expect(opened).toEqual([]);
  });

  test('of the folder get other points, are switched off, and follow their file again', async () => {
    const staged = await stage();
    put(staged, 'formats/a.json', JSON.stringify(format('Small')));
    await act('formats', staged, async (person) => {
      await person.choose('format-0');
      await person.choose('score');
      await person.write('-50');
      await person.back();
    });
    expect(await scores(staged)).toEqual({ Small: -50 });
    await act('formats', staged, async (person) => {
      await person.choose('format-0');
      await person.choose('enabled');
      expect((await person.waitFor('choice')).rows[0]).toMatchObject({
        detail: 'Switched off, -50 points, changed here',
      });
      await person.back();
    });
    expect(await scores(staged)).toEqual({});
    await act('formats', staged, async (person) => {
      await person.choose('format-0');
      await person.choose('forget');
      await person.back();
    });
    expect(await scores(staged)).toEqual({ Small: 10 });
  });

  test('that were imported are removed', async () => {
    const staged = await stage();
    put(staged, 'export.json', JSON.stringify(format('Small')));
    await act('formats', staged, async (person) => {
      await person.choose('import');
      await person.write(join(staged.host.dataFolder, 'export.json'));
      await person.goOn();
      await person.choose('format-0');
      await person.choose('remove');
      await person.confirm(true);
      await person.back();
    });
    expect(await scores(staged)).toEqual({});
  });

  test.each(['ten', '1e9', '99999999'])('get no points of "%s"', async (text) => {
    const staged = await stage();
    put(staged, 'formats/a.json', JSON.stringify(format('Small')));
    await act('formats', staged, async (person) => {
      await person.choose('format-0');
      await person.choose('score');
      await person.write(text);
      expect((await person.goOn()).text).toContain('no number of points');
      await person.back();
    });
    expect(await scores(staged)).toEqual({ Small: 10 });
  });
});
