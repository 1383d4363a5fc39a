import { describe, expect, test } from 'vitest';
import { CancelledError, SlipstreamError } from '../../../src/errors/index.ts';
import { storeFailure } from '../../../src/library/index.ts';
import { runFirstRun } from '../../../src/setup/index.ts';
import type { RecordingHost } from '../../support/recording-host.ts';
import { act, during, KEYS, type Stage, stage } from '../stage.ts';

type Person = RecordingHost['person'];

/** From the first question to the one for what plays. */
async function setUpIndexer(person: Person, { sandbox }: Stage, key: string = KEYS.indexerKey) {
  await person.choose('newznab');
  await person.choose('other');
  await person.write(sandbox.indexer.url);
  await person.write(key);
}

/** From the question for what plays to the last step. The share wants a password, which is asked for as the key is. */
async function setUpNzbdav(person: Person, { sandbox }: Stage) {
  await person.choose('webdav');
  await person.write(sandbox.backend.apiUrl);
  await person.write(KEYS.apiKey);
  await person.write(KEYS.password);
}

const whereAt = async (person: Person) => (await person.asked()).title;

describe('from nothing to a film that plays', () => {
  test('with an indexer and nzbdav, and nothing else', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await setUpNzbdav(person, staged);
      const last = await person.choose('play');
      expect(last.rows.map(({ label }) => label)).toContain('Play Big Buck Bunny');
    });
    expect(staged.host.settings).toMatchObject({
      indexer_url: staged.sandbox.indexer.url,
      indexer_api_key: KEYS.indexerKey,
      playback_backend: 'webdav',
      webdav_api_url: staged.sandbox.backend.apiUrl,
      webdav_api_key: KEYS.apiKey,
      webdav_password: KEYS.password,
    });
    expect(staged.played).toMatchObject([{ title: 'Big Buck Bunny', year: 2008 }]);
    expect(staged.sandbox.requests.some(({ query }) => query['t'] === 'movie')).toBe(true);
  });

  test('a wrong key is told and asked for again, nothing else is', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged, 'wrong-key');
      const told = await person.confirm(true);
      expect(told.text).toMatch(/key/i);
      expect(told.text).toContain('Most likely: Indexer API key.');
      const asked = await person.write(KEYS.indexerKey);
      expect(asked).toMatchObject({ hidden: true });
      expect(asked).not.toHaveProperty('value');
      await setUpNzbdav(person, staged);
      await person.choose('end');
      await person.goOn();
    });
    expect(staged.host.settings['indexer_api_key']).toBe(KEYS.indexerKey);
    expect(JSON.stringify(staged.host.person.history)).not.toContain('wrong-key');
  });

  test('a known indexer is asked for its key only', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await person.choose('newznab');
      await person.choose('NZBGeek');
      expect((await person.waitFor('text')).title).toContain('key');
      for (let steps = 0; steps < 2; steps++) await person.back();
    });
    expect(staged.host.settings).toMatchObject({
      indexer_name: 'NZBGeek',
      indexer_url: 'https://api.nzbgeek.info',
    });
  });

  test('a password may be left empty where some do without', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await person.choose('webdav');
      await person.write(staged.sandbox.backend.apiUrl);
      await person.write(KEYS.apiKey);
      expect((await person.write('')).title).toContain('WebDAV password');
      expect(await person.confirm(true)).toMatchObject({ title: 'nzbdav does not work yet' });
      await person.write(KEYS.password);
      expect(await whereAt(person)).toBe('Everything is set up');
      await person.choose('end');
      await person.goOn();
    });
  });

  test('what does not answer can be left as it is', async () => {
    const staged = await stage();
    await staged.sandbox.shut('indexer');
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await person.confirm(false);
      const more = await person.choose('leave');
      expect(more.rows.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['again', 'indexer_url', 'indexer_api_key']),
      );
      expect(JSON.stringify(more)).not.toContain(KEYS.indexerKey);
      await setUpNzbdav(person, staged);
      expect((await person.confirm(false)).title).toBe('No release was found');
      expect((await person.choose('end')).rows).toHaveLength(1);
      await person.goOn();
    });
  });

  test('a film that does not play is told in a sentence, with all there is to know behind it; one that was cancelled does not', async () => {
    const staged = await stage();
    const { host, log } = staged;
    const error = new SlipstreamError('NO_VIDEO', { what: 'It holds no video.', next: 'Try another.' });
    const fails = async () => {
      await storeFailure(error, { folder: host.dataFolder, log, title: 'Big Buck Bunny', lines: [] });
      return false;
    };
    staged.plays = [fails, fails, () => Promise.resolve(false)];
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await setUpNzbdav(person, staged);
      await person.choose('play');
      const told = { title: 'Big Buck Bunny did not play', text: 'It holds no video. Try another.' };
      expect(await person.confirm(true)).toMatchObject(told);
      await person.choose('play');
      expect(await person.confirm(false)).toMatchObject(told);
      expect(await person.goOn()).toMatchObject({
        title: 'What failed last',
        text: expect.stringContaining('It holds no video.') as string,
      });
      await person.choose('play');
      await person.choose('end');
      await person.goOn();
    });
  });

  test('where a film waits, none is played for a test', async () => {
    const staged = await stage();
    const running = runFirstRun(staged.context, { filmWaits: true });
    await during(running, staged, async (person) => {
      await setUpIndexer(person, staged);
      await setUpNzbdav(person, staged);
    });
    expect(await running).toBe(true);
    expect(staged.played).toEqual([]);
  });

  test('the player file is offered where TMDbHelper is', async () => {
    const addons = { installed: ['plugin.video.themoviedb.helper'], folder: '/nowhere' };
    const staged = await stage({ addons });
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await setUpNzbdav(person, staged);
      expect((await person.confirm(false)).title).toBe('TMDbHelper');
      await person.choose('end');
      await person.goOn();
    });
  });

  test('a Stremio add-on needs nothing that plays', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      const { rows } = await person.choose('stremio');
      expect(rows.map(({ id }) => id)).not.toContain('none');
      await person.write(`${staged.sandbox.indexer.url}/manifest.json`);
      await person.confirm(false);
      await person.choose('leave');
      await person.choose('none');
      await person.confirm(false);
      await person.choose('end');
      await person.goOn();
    });
    expect(staged.host.settings).not.toHaveProperty('playback_backend');
  });
});

describe('a set-up that is gone through again', () => {
  const GEEK = {
    indexer_name: 'NZBGeek',
    indexer_url: 'https://api.nzbgeek.info',
    indexer_api_key: KEYS.indexerKey,
  };

  test('ends in the film, and not in the settings that it was called from', async () => {
    const staged = await stage();
    Object.assign(staged.host.settings, staged.sandbox.settings);
    await act({ action: 'first-run', back: 'connection' }, staged, async (person) => {
      await person.choose('here');
      await person.choose('newznab');
      await person.choose('other');
      await person.choose('webdav');
      await person.choose('play');
    });
    expect(staged.played).toHaveLength(1);
    expect(staged.host.settingsOpened).toEqual([]);
  });

  test('shows the key of one indexer to no other, and gives it up only when the person says so', async () => {
    const staged = await stage({ settings: GEEK });
    await act('first-run', staged, async (person) => {
      await person.choose('here');
      await person.choose('newznab');
      await person.choose('NZBFinder');
      expect((await person.confirm(true)).text).toContain('One is set up already at api.nzbgeek.info.');
      expect(await person.asked()).toMatchObject({ hidden: true });
      for (let steps = 0; steps < 3; steps++) await person.back();
    });
    expect(staged.host.settings).toMatchObject({ indexer_name: 'NZBFinder', indexer_api_key: '' });
  });

  test('shows a key whose address nobody knows any more to no indexer', async () => {
    const { indexer_url: _, ...rest } = GEEK;
    const staged = await stage({ settings: rest });
    await act('first-run', staged, async (person) => {
      await person.choose('newznab');
      await person.choose('NZBFinder');
      expect(await person.waitFor('text')).toMatchObject({ hidden: true });
      for (let steps = 0; steps < 2; steps++) await person.back();
    });
    expect(staged.host.settings).toMatchObject({ indexer_name: 'NZBFinder', indexer_api_key: '' });
  });

  test('goes back to the list where another one is not to take the place', async () => {
    const staged = await stage({ settings: GEEK });
    await act('first-run', staged, async (person) => {
      await person.choose('here');
      await person.choose('newznab');
      await person.choose('NZBFinder');
      await person.waitFor('yes-no');
      await person.back();
      expect(await whereAt(person)).toBe('What do you search with? One is enough for now');
      for (let steps = 0; steps < 2; steps++) await person.back();
    });
    expect(staged.host.settings).toEqual(GEEK);
  });

  test('asks where a service is that shares its settings with another one', async () => {
    const staged = await stage();
    const { indexer_url = '', indexer_api_key = '' } = staged.sandbox.settings;
    const altmount = {
      indexer_url,
      indexer_api_key,
      playback_backend: 'direct',
      direct_kind: 'altmount',
      direct_url: 'http://altmount.example:8080',
      direct_api_key: KEYS.apiKey,
    };
    Object.assign(staged.host.settings, altmount);
    await act('first-run', staged, async (person) => {
      await person.choose('here');
      await person.choose('newznab');
      await person.choose('other');
      await person.choose('streamnzb');
      await person.confirm(false);
      expect(staged.host.settings).toEqual(altmount);
      await person.choose('streamnzb');
      await person.confirm(true);
      expect((await person.waitFor('text')).title).toContain('Streaming service address');
      for (let steps = 0; steps < 5; steps++) await person.back();
    });
    expect(staged.host.settings).toMatchObject({ direct_kind: 'streamnzb', direct_api_key: '' });
  });

  test('asks for the address of one that is not listed, also after one that is', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await person.choose('newznab');
      await person.choose('NZBGeek');
      await person.back();
      await person.choose('newznab');
      await person.choose('other');
      const { title } = await person.waitFor('text');
      expect(title).toContain('Indexer address');
      for (let steps = 0; steps < 2; steps++) await person.back();
    });
    expect(staged.host.settings).toMatchObject({ indexer_name: 'Indexer', indexer_url: '' });
  });
});

describe('going back', () => {
  test('leads through every question to the first, and out', async () => {
    const staged = await stage();
    const seen: string[] = [];
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await setUpNzbdav(person, staged);
      expect(await whereAt(person)).toBe('Everything is set up');
      for (let steps = 0; steps < 5; steps++) seen.push((await person.back()).title);
    });
    expect(seen).toEqual([
      'Everything is set up',
      'nzbdav',
      'What gets a release ready for playing?',
      'Indexer',
      'Set up Slipstream: what do you search with?',
    ]);
  });

  test('to a service, its values can be changed, and the way leads on from there', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await person.back();
      const { rows } = await person.choose('indexer_api_key');
      expect(rows.find(({ id }) => id === 'indexer_api_key')).toMatchObject({ detail: 'entered' });
      await person.write('wrong-key');
      await person.choose('go-on');
      await person.confirm(true);
      await person.write(KEYS.indexerKey);
      expect(await whereAt(person)).toBe('What gets a release ready for playing?');
      for (let steps = 0; steps < 3; steps++) await person.back();
    });
  });

  test('in the middle of values leads to the value before', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await person.choose('hydra');
      await person.write('192.168.1.10:5076');
      await person.back();
      expect((await person.waitFor('text')).value).toBe('http://192.168.1.10:5076');
      for (let steps = 0; steps < 2; steps++) await person.back();
    });
  });
});

describe('a set-up that was left', () => {
  /** Each is left at the question that follows so many answers. */
  const ANSWERS: readonly ((person: Person, staged: Stage) => Promise<unknown>)[] = [
    (person) => person.choose('newznab'),
    (person) => person.choose('other'),
    (person, { sandbox }) => person.write(sandbox.indexer.url),
    (person) => person.write(KEYS.indexerKey),
    (person) => person.choose('webdav'),
    (person, { sandbox }) => person.write(sandbox.backend.apiUrl),
    (person) => person.write(KEYS.apiKey),
    (person) => person.write(''),
    (person) => person.confirm(true),
    (person) => person.write(KEYS.password),
    (person) => person.choose('end'),
  ];

  test.each(ANSWERS.map((_, count) => count))(
    'after %i answers ends at once, and goes on from there the next time',
    async (count) => {
      const staged = await stage();
      const running = runFirstRun(staged.context);
      running.catch(() => undefined);
      for (const answer of ANSWERS.slice(0, count)) await answer(staged.host.person, staged);
      const at = await whereAt(staged.host.person);
      staged.host.abort();
      await expect(running).rejects.toBeInstanceOf(CancelledError);
      expect(staged.host.open()).toBe(0);
      const again = await stage({ settings: staged.host.settings, dataFolder: staged.host.dataFolder });
      const resumed = runFirstRun(again.context);
      resumed.catch(() => undefined);
      const { person } = again.host;
      // Who has chosen nothing yet begins anew; which indexer it is, is a part of that.
      if (count < 2) expect(await whereAt(person)).toBe('Set up Slipstream: what do you search with?');
      else {
        await person.choose('go-on');
        // Which value is wrong is a part of the step before it.
        const parts: Readonly<Record<number, string>> = {
          8: 'nzbdav does not work yet',
          9: 'nzbdav does not work yet',
        };
        expect(await whereAt(person)).toBe(parts[count] ?? at);
      }
      again.host.abort();
      await expect(resumed).rejects.toBeInstanceOf(CancelledError);
    },
  );

  test('is also one whose search was set up elsewhere: what plays is asked for', async () => {
    const staged = await stage();
    const { indexer_url = '', indexer_api_key = '' } = staged.sandbox.settings;
    Object.assign(staged.host.settings, { indexer_url, indexer_api_key });
    await act('first-run', staged, async (person) => {
      await person.choose('go-on');
      await setUpNzbdav(person, staged);
      await person.choose('end');
      await person.goOn();
    });
  });

  test('is forgotten once it was gone through', async () => {
    const staged = await stage();
    await act('first-run', staged, async (person) => {
      await setUpIndexer(person, staged);
      await setUpNzbdav(person, staged);
      await person.choose('end');
      await person.goOn();
    });
    await act('first-run', staged, async (person) => {
      expect((await person.waitFor('choice')).rows.map(({ id }) => id)).toEqual(['phone', 'here']);
      await person.back();
    });
  });
});
