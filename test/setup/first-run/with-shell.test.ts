import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordingHost } from '../../support/recording-host.ts';
import { act, KEYS, stage } from '../stage.ts';

type Person = RecordingHost['person'];

/** A shell in which all is set up that a play needs. */
async function setUpBefore() {
  const said: string[] = [];
  const staged = await stage({ shell: said });
  Object.assign(staged.host.settings, staged.sandbox.settings);
  return { staged, said, settings: staged.host.settings };
}

/** From the first question to the last step, with what is set up. */
async function goThrough(person: Person) {
  await person.choose('here');
  await person.choose('newznab');
  await person.choose('other');
  await person.choose('webdav');
}

const rowsOf = async (person: Person) => (await person.waitFor('choice')).rows.map(({ id }) => id);

describe('the end of a set-up in a shell', () => {
  test.each(['end', 'play'])('by "%s" tells what to type, and asks nothing more', async (end) => {
    const { staged, said } = await setUpBefore();
    await act('first-run', staged, async (person) => {
      await goThrough(person);
      await person.choose(end);
    });
    expect(said.join('\n')).toContain('  slipstream play "Sintel" --year 2010\n  slipstream test\n');
    expect(said.join('\n')).toContain('The settings are in:\n  /home/of/settings.json');
    expect(JSON.stringify([said, staged.host.person.history])).not.toContain('TMDbHelper');
  });

  test('names the id as well where only add-ons are searched, and no TMDb key knows it', async () => {
    const { staged, said } = await setUpBefore();
    const { settings } = staged.host;
    const finish = () =>
      act('first-run', staged, async (person) => {
        await person.choose('go-on');
        await person.choose('end');
      });
    const leftAtTheEnd = { version: 1, value: { step: 'play', chosen: { search: 'stremio', play: 'none' } } };
    for (const [changed, command] of [
      [{ indexer_url: '', stremio_url: 'http://127.0.0.1:1/manifest.json' }, ' --imdb tt1727587\n'],
      [{ tmdb_api_key: 'a-key' }, '\n'],
      [{ tmdb_api_key: '', hydra_url: 'http://127.0.0.1:1' }, '\n'],
    ] as const) {
      Object.assign(settings, changed);
      writeFileSync(join(staged.host.dataFolder, 'first-run.json'), JSON.stringify(leftAtTheEnd));
      said.length = 0;
      await finish();
      expect(said.join('\n')).toContain(`slipstream play "Sintel" --year 2010${command}`);
    }
  });

  test('is told nothing where there is none', async () => {
    const staged = await stage();
    Object.assign(staged.host.settings, staged.sandbox.settings);
    await act('first-run', staged, async (person) => {
      await goThrough(person);
      await person.choose('end');
      expect((await person.goOn()).text).toContain('TMDbHelper');
    });
  });
});

describe('what is set up', () => {
  test('a new person is asked for at once, with the phone as one of the answers', async () => {
    const staged = await stage({ shell: [] });
    await act('first-run', staged, async (person) => {
      expect(await rowsOf(person)).toEqual(expect.arrayContaining(['newznab', 'phone']));
      await person.back();
    });
  });

  test.each([
    ['a shell asks for the WebDAV user beside what is missing', { shell: [] }, true],
    ['a remote control does not: each letter is a key', {}, false],
  ])('%s', async (_where, options, isAsked) => {
    const staged = await stage(options);
    const { indexer_url = '', indexer_api_key = '' } = staged.sandbox.settings;
    Object.assign(staged.host.settings, { indexer_url, indexer_api_key });
    await act('first-run', staged, async (person) => {
      await person.choose('go-on');
      await person.choose('webdav');
      await person.write(staged.sandbox.backend.apiUrl);
      await person.write(KEYS.apiKey);
      const { title, value } = await person.waitFor('text');
      expect([title, value]).toEqual(isAsked ? ['WebDAV user', 'admin'] : ['WebDAV password', '']);
      for (let steps = 0; steps < 7; steps++) await person.back();
    });
  });

  test('is added to, from the first question and from the last', async () => {
    const { staged } = await setUpBefore();
    const add = async (person: Person, key: string) => {
      await person.choose('change');
      await person.choose('add');
      await person.choose('newznab');
      await person.choose('other');
      await person.write(staged.sandbox.indexer.url);
      await person.write(key);
    };
    await act('first-run', staged, async (person) => {
      await add(person, 'wrong-key');
      await person.confirm(true);
      await person.write(KEYS.indexerKey);
      await person.goOn();
      expect(await rowsOf(person)).toEqual(['newznab', 'webdav', 'entry-0', 'add']);
      await person.back();
      await goThrough(person);
      await add(person, KEYS.indexerKey);
      await person.goOn();
      expect(await rowsOf(person)).toEqual(['newznab', 'webdav', 'entry-0', 'entry-1', 'add']);
      await person.back();
      await person.choose('end');
    });
  });

  test('is removed after a question, and only then', async () => {
    const { staged, settings } = await setUpBefore();
    const before = { ...settings };
    const remove = async (person: Person, isSure: boolean) => {
      await person.choose('webdav');
      await person.choose('remove');
      // Once more OK than was meant keeps it.
      expect(await person.confirm(isSure)).toMatchObject({
        text: 'Remove nzbdav? What was entered for it is forgotten.',
        focused: 'no',
      });
    };
    await act('first-run', staged, async (person) => {
      await person.choose('change');
      await remove(person, false);
      expect(settings).toEqual(before);
      await remove(person, true);
      expect(await rowsOf(person)).toEqual(['newznab', 'add']);
      await person.back();
      await person.back();
    });
    expect(settings).toMatchObject({ webdav_api_url: '', webdav_api_key: '', webdav_password: '' });
    expect(settings).toMatchObject({ indexer_api_key: KEYS.indexerKey });
  });

  test('may be a TMDb key, which is offered once', async () => {
    const { staged, settings } = await setUpBefore();
    await act('first-run', staged, async (person) => {
      await person.choose('change');
      for (const entered of ['', undefined]) {
        const { rows } = await person.choose('add');
        expect(rows.find(({ id }) => id === 'add')?.detail).toContain('; TMDb.');
        expect((await person.choose('tmdb')).title).toBe('What is to be added?');
        await (entered === undefined ? person.back() : person.write(entered));
      }
      await person.back();
      await person.back();
    });
    settings['tmdb_api_key'] = 'a-key';
    await act('first-run', staged, async (person) => {
      await person.choose('change');
      const { rows } = await person.choose('add');
      expect(rows.map(({ label }) => label)).toContain('TMDb');
      expect(rows.find(({ id }) => id === 'add')?.detail).not.toContain('TMDb');
      expect((await person.back()).title).toBe('What is to be searched?');
      await person.back();
      await person.back();
    });
  });

  test('has further folders where it is NZBGet', async () => {
    const { staged, settings } = await setUpBefore();
    Object.assign(settings, { playback_backend: 'nzbget', nzbget_url: 'http://127.0.0.1:1' });
    await act('first-run', staged, async (person) => {
      await person.choose('change');
      await person.choose('nzbget');
      await person.choose('mappings');
      expect((await person.back()).title).toBe('Further folders of NZBGet');
      await person.back();
      await person.back();
    });
  });

  test('gives way to another service that plays', async () => {
    const { staged, settings } = await setUpBefore();
    await act('first-run', staged, async (person) => {
      await person.choose('what-plays');
      await person.choose('nzbget');
      expect(await person.waitFor('text')).toMatchObject({ title: 'NZBGet address' });
      for (let steps = 0; steps < 2; steps++) await person.back();
      expect(settings).toMatchObject({ playback_backend: 'nzbget' });
      for (let steps = 0; steps < 3; steps++) await person.back();
    });
  });
});
