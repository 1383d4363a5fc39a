import { describe, expect, test } from 'vitest';
import { act, KEYS, type Stage, stage } from '../stage.ts';

/** Everything of the sandbox is set up. */
async function setUp(settings: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const staged = await stage();
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

  test('that was away is tried again', async () => {
    const staged = await setUp();
    await staged.sandbox.shut('indexer');
    await act({ action: 'test', service: 'newznab' }, staged, async (person) => {
      await person.confirm(false);
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
