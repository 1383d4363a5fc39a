import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { splitCommand } from '../../../src/host/terminal/player.ts';
import {
  defaultDataFolder,
  defaultSettingsFile,
  readSettingsFile,
  writeSettingsFile,
} from '../../../src/host/terminal/settings-file.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipstream-settings-'));
  file = join(folder, 'settings.json');
});

afterEach(() => rm(folder, { recursive: true }));

const store = (text: string) => writeFile(file, text, { mode: 0o600 });

async function refusal(): Promise<SlipstreamError> {
  const error: unknown = await readSettingsFile(file).catch((reason: unknown) => reason);
  if (!(error instanceof SlipstreamError)) throw new Error('the file was accepted');
  expect(error.code).toBe('INVALID_REQUEST');
  return error;
}

describe('the settings file', () => {
  test('gives text, whatever kind of value stands there', async () => {
    await store('{"indexer_url": "http://127.0.0.1:1", "allow_sd": false, "search_timeout": 5}');
    expect(await readSettingsFile(file)).toEqual({
      indexer_url: 'http://127.0.0.1:1',
      allow_sd: 'false',
      search_timeout: '5',
    });
  });

  test.each([0o640, 0o604, 0o644, 0o660])('is refused when others can reach it (mode %o)', async (mode) => {
    await store('{}');
    await chmod(file, mode);
    expect((await refusal()).explanation.next).toBe(`Run: chmod 600 ${file}`);
  });

  test('that is missing is named', async () => {
    expect((await refusal()).explanation.what).toContain(file);
  });

  test('a misspelt setting is named', async () => {
    await store('{"indexer_urll": ""}');
    expect((await refusal()).explanation.what).toContain('indexer_urll');
  });

  test.each(['', '["x"]', 'null', '{"indexer_url": {}}', '{"indexer_url": null}'])(
    'is refused when it holds %j',
    async (text) => {
      await store(text);
      await refusal();
    },
  );

  test('that is broken does not spill its keys into the message', async () => {
    await store('{"indexer_api_key": hush-hush}');
    const error = await refusal();
    expect(`${error.message} ${String(error.cause)} ${error.stack ?? ''}`).not.toContain('hush');
  });

  test('that is far too large is not read', async () => {
    await store(`{"indexer_url": "${'x'.repeat(1024 * 1024)}"}`);
    expect((await refusal()).explanation.what).toContain('too large');
  });
});

test('the default places follow the XDG folders', () => {
  expect(defaultSettingsFile({ XDG_CONFIG_HOME: '/c' }, '/h')).toBe(
    join('/c', 'slipstream', 'settings.json'),
  );
  expect(defaultSettingsFile({}, '/h')).toBe(join('/h', '.config', 'slipstream', 'settings.json'));
  expect(defaultDataFolder({ XDG_DATA_HOME: '/d' }, '/h')).toBe(join('/d', 'slipstream'));
  expect(defaultDataFolder({}, '/h')).toBe(join('/h', '.local', 'share', 'slipstream'));
});

test.each([
  ['mpv', ['mpv']],
  ['  mpv   --fs ', ['mpv', '--fs']],
  [`"C:\\Program Files\\vlc.exe" --x='a "b"' c"d e"f`, ['C:\\Program Files\\vlc.exe', '--x=a "b"', 'cd ef']],
  ['mpv $(x); `y` "', ['mpv', '$(x);', '`y`']],
  ['', []],
])('the command %j has the words %j', (command, words) => {
  expect(splitCommand(command)).toEqual(words);
});

describe('writing settings', () => {
  test('makes the file, and its folder, where there is none', async () => {
    const path = join(folder, 'new', 'settings.json');
    await writeSettingsFile(path, { indexer_name: 'Example' });
    expect(await readSettingsFile(path)).toEqual({ indexer_name: 'Example' });
  });

  test.each([{}, { max_attempts: '5', auto_select: 'true' }])(
    'leaves a file that has %j already as somebody has written it',
    async (values) => {
      const text = '{ "max_attempts": 5,\n\t"auto_select": true }';
      await store(text);
      await writeSettingsFile(file, values);
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  test('keeps what else stands in a file that it changes', async () => {
    await store('{"max_attempts": 5, "auto_select": true}');
    await writeSettingsFile(file, { auto_select: 'false' });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ max_attempts: 5, auto_select: 'false' });
  });

  test('refuses a file that it cannot read, and leaves it as it is', async () => {
    await store('{ no JSON');
    const write = writeSettingsFile(file, { indexer_name: 'Example' });
    await expect(write).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await readFile(file, 'utf8')).toBe('{ no JSON');
  });

  test('says so where the file cannot be written, and leaves nothing beside it', async () => {
    const path = join(folder, 'settings');
    await mkdir(join(path, 'full'), { recursive: true });
    const write = writeSettingsFile(join(path, 'full'), { indexer_name: 'Example' });
    await expect(write).rejects.toMatchObject({ code: expect.stringMatching(/FAILED|INVALID/) as string });
    expect(await readdir(path)).toEqual(['full']);
  });
});
