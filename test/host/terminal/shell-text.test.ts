import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KODI_TO_SHELL, shellQuoted, shellText } from '../../../src/host/terminal/shell-text.ts';
import { setUp } from './terminal-in-memory.ts';

const places = {
  settingsFile: '/home/me/settings.json',
  command: (words: string) => `slipstream ${words} --data here`,
};

describe('what is told in a shell', () => {
  test('has nothing of Kodi, where the sources name it', () => {
    const folder = join(import.meta.dirname, '../../../src');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('shell-words.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const [ofKodi] of KODI_TO_SHELL) {
      expect(sources.some((text) => text.includes(ofKodi))).toBe(true);
      expect(shellText(`First. ${ofKodi}`, places)).not.toMatch(/Kodi|smb:|TMDbHelper/);
    }
  });

  test.each([
    [
      'Open the settings of Slipstream (Connection) and enter the API key of X again.',
      'Run "slipstream setup --data here" and enter the API key of X again.',
    ],
    [
      'Open the list of indexers in Slipstream and enter the API key of X again.',
      'Run "slipstream setup --data here" and enter the API key of X again.',
    ],
    [
      'Check the WebDAV address in the settings of Slipstream (Backends).',
      'Check the WebDAV address with "slipstream setup --data here".',
    ],
    [
      'Copy the address anew into the settings of Slipstream (Connection); it may have expired.',
      'Copy the address anew with "slipstream setup --data here"; it may have expired.',
    ],
    [
      'Loosen them in the settings of Slipstream (Quality, Limits).',
      'Loosen them in /home/me/settings.json.',
    ],
    [
      'Choose it in TMDbHelper, or enter a TMDb API key in the settings of Slipstream (Connection).',
      'Name its IMDb id (--imdb), or enter a TMDb API key with "slipstream setup --data here".',
    ],
    ['Run "slipstream setup", which writes it.', 'Run "slipstream setup --data here", which writes it.'],
    ['Copy it from the settings of nzbdav, SABnzbd.', 'Copy it from the settings of nzbdav, SABnzbd.'],
  ])('names commands and files: %s', (told, here) => {
    expect(shellText(told, places)).toBe(here);
  });

  test('does so wherever it is shown', async () => {
    const { host, messages, input } = await setUp();
    const next = 'Open the settings of Slipstream (Connection) and enter it.';
    await host.notify({ what: 'No key.', next });
    const signal = new AbortController().signal;
    const answer = host.questions.confirm({ title: 'T', text: next, yes: 'Y', no: 'N' }, signal);
    input.write('y\n');
    await answer;
    expect(messages.text().match(/Run "slipstream setup --data here" and enter it\./g)).toHaveLength(2);
    expect(messages.text()).not.toContain('settings of Slipstream');
  });
});

test.each([
  'plain/path_1.json',
  '~/s.json',
  'C:\\s.json',
  '/with blanks/s.json',
  "it's",
  '$HOME `x` "y" \\z',
  'ä*?[a]',
])('a shell reads the word as it was meant: %s', (word) => {
  const read = execFileSync('sh', ['-c', `printf %s ${shellQuoted(word)}`], { encoding: 'utf8' });
  expect(read).toBe(word);
});
