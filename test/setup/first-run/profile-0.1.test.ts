import { chmodSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { ENGINE_FILE } from '../../support/engine.ts';
import { openPty } from '../../support/pty.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { act, stage } from '../stage.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/profile-0.1');

/** Every file below the folder, with its bytes. */
const bytesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  );

/** As 0.1 left it: readable by its owner alone. */
function profile(): string {
  const folder = temporaryFolder();
  cpSync(FIXTURE, folder, { recursive: true });
  for (const name of Object.keys(bytesIn(folder))) chmodSync(join(folder, name), 0o600);
  return folder;
}

test('a finished profile of 0.1 opens the set-up with nothing changed and nothing asked', async () => {
  const folder = profile();
  const before = bytesIn(folder);
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['settings.json', 'data/sources.json']));
  const paths = ['--settings', join(folder, 'settings.json'), '--data', join(folder, 'data')];
  const shell = openPty([process.execPath, ENGINE_FILE, 'setup', ...paths]);
  await shell.shows('Which one? (Enter: 1, q: back): ');
  const shown = stripVTControlCharacters(shell.text());
  expect(shown).toMatch(/^Set up Slipstream\r\n1 {2}With a phone\r\n/);
  await shell.type('q\r');
  expect(await shell.ended).toBe(0);
  expect(shell.text().split('back): ')).toHaveLength(2);
  expect(bytesIn(folder)).toEqual(before);
}, 60_000);

test('what 0.1 let be empty, and has a default since, is not asked for', async () => {
  const empty = { webdav_username: '', webdav_movie_category: '', webdav_tv_category: '' };
  const staged = await stage();
  const before = { ...staged.sandbox.settings, ...empty, webdav_password: '', playback_backend: 'webdav' };
  Object.assign(staged.host.settings, before);
  await act('first-run', staged, async (person) => {
    await person.choose('here');
    await person.choose('newznab');
    await person.choose('other');
    await person.choose('webdav');
    // The share of the sandbox wants a password, unlike that of whoever had none in 0.1.
    expect((await person.waitFor('yes-no')).title).toBe('nzbdav does not work');
    for (let steps = 0; steps < 6; steps++) await person.back();
  });
  expect(staged.host.settings).toEqual(before);
});
