import { describe, expect, onTestFinished, test } from 'vitest';
import { INFINIDYSK, type SandboxOptions } from '../../../sandbox/index.ts';
import { startIndexer } from '../../../sandbox/indexer/start.ts';
import { startNzbget } from '../../../sandbox/nzbget/index.ts';
import { act, KEYS, type Stage, stage } from '../stage.ts';

/** Everything of the sandbox is set up. */
async function setUp(
  settings: Readonly<Record<string, string>> = {},
  services: SandboxOptions = {},
): Promise<Stage> {
  const staged = await stage({}, services);
  Object.assign(staged.host.settings, staged.sandbox.settings, settings);
  return staged;
}

describe('one service', () => {
  test('that works says what was found, and the settings open again where they were left', async () => {
    const staged = await setUp();
    await act({ action: 'test', service: 'webdav', back: 'backends' }, staged, async (person) => {
      const { title, text } = await person.goOn();
      expect(title).toBe('nzbdav works');
      expect(text).toContain('OK: The WebDAV of nzbdav');
    });
    expect(staged.host.settingsOpened).toEqual(['backends']);
    expect(staged.host.progress).toMatchObject([{ stage: 'Testing nzbdav' }]);
  });

  test('whose folder nothing proves yet says so, and has not failed', async () => {
    const staged = await setUp();
    const nzbget = await startNzbget();
    onTestFinished(() => nzbget.close());
    Object.assign(staged.host.settings, {
      playback_backend: 'nzbget',
      nzbget_url: nzbget.url,
      nzbget_username: nzbget.username,
      nzbget_password: nzbget.password,
      nzbget_folder: nzbget.folder,
    });
    await act({ action: 'test', service: 'nzbget' }, staged, async (person) => {
      const { title, text } = await person.goOn();
      expect(title).toBe('NZBGet answers, but not all is proven yet');
      expect(text).toContain('NOT PROVEN YET: What NZBGet has finished');
    });
    await act('test', staged, async (person) => {
      const asked = await person.waitFor('choice');
      expect(asked.rows.find(({ label }) => label === 'NZBGet')?.detail).toMatch(/^not proven yet: /);
      await person.back();
    });
  });

  test('whose folder has a name that nobody knows yet gets it where it is told', async () => {
    const staged = await setUp();
    const nzbget = await startNzbget();
    onTestFinished(() => nzbget.close());
    Object.assign(staged.host.settings, {
      playback_backend: 'nzbget',
      nzbget_url: nzbget.url,
      nzbget_username: nzbget.username,
      nzbget_password: nzbget.password,
      nzbget_folder: nzbget.folder,
      nzbget_server_folder: '/somewhere/else',
    });
    await act({ action: 'test', service: 'nzbget' }, staged, async (person) => {
      expect((await person.confirm(false)).text).toContain('or add it under "More folders".');
      const { rows } = await person.choose('mappings');
      expect(rows.find(({ id }) => id === 'mappings')?.label).toBe('More folders');
      await person.choose('add');
      await person.write('/downloads/completed');
      await person.write(nzbget.folder);
      await person.back();
      expect((await person.goOn()).title).toBe('NZBGet answers, but not all is proven yet');
    });
  });

  test('that does not is mended on the spot', async () => {
    const staged = await setUp({ webdav_api_key: 'wrong-key' });
    await act({ action: 'test', service: 'webdav' }, staged, async (person) => {
      expect((await person.confirm(true)).text).toContain('Most likely: nzbdav API key.');
      await person.write(KEYS.apiKey);
      expect((await person.goOn()).title).toBe('nzbdav works');
    });
    expect(staged.host.settings['webdav_api_key']).toBe(KEYS.apiKey);
    expect(staged.host.settingsOpened).toEqual([]);
  });

  test('whose user nobody knew is asked for it with the password, and no circle is left', async () => {
    const staged = await setUp({ webdav_username: 'admin' }, { username: 'sita' });
    await act({ action: 'test', service: 'webdav' }, staged, async (person) => {
      const { text, yes } = await person.confirm(true);
      expect(text).toContain('user admin, which you have not changed');
      expect(text).toContain('Most likely: WebDAV user, or WebDAV password.');
      expect(yes).toBe('Change them');
      expect((await person.write('sita')).value).toBe('admin');
      // Nothing typed: the password stays.
      await person.write('');
      expect((await person.goOn()).title).toBe('nzbdav works');
    });
    expect(staged.host.settings).toMatchObject({ webdav_username: 'sita', webdav_password: KEYS.password });
  });

  test('NZBGet whose user is another one is asked for that with the password', async () => {
    const staged = await setUp();
    const nzbget = await startNzbget();
    onTestFinished(() => nzbget.close());
    Object.assign(staged.host.settings, {
      playback_backend: 'nzbget',
      nzbget_url: nzbget.url,
      nzbget_username: 'somebody',
      nzbget_password: nzbget.password,
      nzbget_folder: nzbget.folder,
    });
    await act({ action: 'test', service: 'nzbget' }, staged, async (person) => {
      const { text, yes } = await person.confirm(true);
      expect([text, yes]).toEqual([
        expect.stringContaining('Most likely: NZBGet user, or NZBGet password.'),
        'Change them',
      ]);
      expect(await person.write(nzbget.username)).toMatchObject({ value: 'somebody', emptied: 'nzbget' });
      await person.write('');
      expect((await person.goOn()).title).toBe('NZBGet answers, but not all is proven yet');
    });
  });

  test('whose user it tells itself needs no question', async () => {
    const services = { dialect: INFINIDYSK, username: 'sita' };
    const staged = await setUp({ webdav_username: 'admin' }, services);
    await act({ action: 'test', service: 'webdav' }, staged, async (person) => {
      expect((await person.goOn()).title).toBe('nzbdav works');
    });
    expect(staged.host.settings['webdav_username']).toBe('sita');
  });

  test('whose right address is known takes it by one key', async () => {
    const staged = await setUp();
    const { apiUrl } = staged.sandbox.backend;
    staged.host.settings['webdav_api_url'] = apiUrl.replace('http:', 'https:');
    await act({ action: 'test', service: 'webdav' }, staged, async (person) => {
      expect((await person.confirm(true)).yes).toBe(`Use ${apiUrl}`);
      expect((await person.goOn()).title).toBe('nzbdav works');
    });
    expect(staged.host.settings['webdav_api_url']).toBe(apiUrl);
  });

  test.each(['http://me:secret@', 'http://me@'])(
    'whose right address is known keeps a login that was entered: %s',
    async (login) => {
      const staged = await setUp();
      const prowlarr = await startIndexer('prowlarr', { apiKey: KEYS.indexerKey });
      onTestFinished(() => prowlarr.close());
      const entered = `${prowlarr.url.replace('http://', login)}/wrong/path`;
      Object.assign(staged.host.settings, { prowlarr_url: entered, prowlarr_api_key: KEYS.indexerKey });
      await act({ action: 'test', service: 'prowlarr' }, staged, async (person) => {
        const { yes, text } = await person.confirm(true);
        expect([yes, text]).toEqual(['Change it', expect.stringContaining('Most likely: Prowlarr address.')]);
        expect((await person.back()).title).toContain('Prowlarr address');
        await person.back();
      });
      expect(staged.host.settings['prowlarr_url']).toBe(entered);
    },
  );

  test('that was away is tried again', async () => {
    const staged = await setUp();
    await staged.sandbox.shut('indexer');
    await act({ action: 'test', service: 'newznab' }, staged, async (person) => {
      expect((await person.confirm(false)).yes).toBe('Try again');
      await staged.sandbox.open('indexer');
      await person.choose('again');
      expect((await person.goOn()).title).toBe('Indexer works');
    });
  });

  test.each(['back', 'leave'])('is left by %s, with nothing changed', async (way) => {
    const staged = await setUp({ webdav_api_key: 'wrong-key' });
    const before = { ...staged.host.settings };
    await act({ action: 'test', service: 'webdav', back: 'backends' }, staged, async (person) => {
      if (way === 'back') await person.back();
      else {
        await person.confirm(false);
        await person.choose('leave');
      }
    });
    expect(staged.host.settings).toEqual(before);
    expect(staged.host.settingsOpened).toEqual(['backends']);
  });

  test('whose test is cancelled asks nothing more', async () => {
    const staged = await stage({
      onProgress: (_, host) => {
        host.cancel();
      },
    });
    Object.assign(staged.host.settings, staged.sandbox.settings);
    await act({ action: 'test', service: 'webdav' }, staged, () => Promise.resolve());
    expect(staged.host.person.history).toEqual([]);
  });
});

describe('all that is set up', () => {
  test('is tested, each with its result; what is wrong can be mended from there', async () => {
    const staged = await setUp({ indexer_api_key: 'wrong-key' });
    await act('test', staged, async (person) => {
      const { rows } = await person.choose('0');
      expect(rows.map(({ label }) => label)).toEqual(['Indexer', 'nzbdav']);
      expect(rows[1]?.detail).toMatch(/^works/);
      expect(rows[0]?.detail).toMatch(/refused the API key/);
      await person.confirm(true);
      await person.write(KEYS.indexerKey);
      await person.goOn();
      expect((await person.choose('1')).rows[0]?.detail).toMatch(/^works/);
      expect((await person.goOn()).title).toBe('nzbdav works');
      await person.back();
    });
  });

  test('is nothing in the beginning, and that is said', async () => {
    const staged = await stage();
    await act('test', staged, async (person) => {
      expect((await person.goOn()).text).toContain('Nothing is set up yet');
    });
  });
});
