import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { FORMS, type Form } from '../../../src/setup/player-file/form.ts';
import { playerFingerprint, playerText } from '../../../src/setup/player-file/forms.ts';
import { runPlayerFile, updatePlayerFile } from '../../../src/setup/player-file/index.ts';
import { FILE_NAME, TMDBHELPER } from '../../../src/setup/player-file/paths.ts';
import { memoryLog } from '../../support/log.ts';
import { recordingHost } from '../../support/recording-host.ts';

vi.mock('../../../src/setup/player-file/known-versions.ts', async (original) => {
  const real = await original<typeof import('../../../src/setup/player-file/known-versions.ts')>();
  return { KNOWN_VERSIONS: { ...real.KNOWN_VERSIONS } };
});
const { KNOWN_VERSIONS } = await import('../../../src/setup/player-file/known-versions.ts');

/** A file of a version of ours that is no longer the present one. */
const OLD = '{ "name": "Slipstream", "plugin": "plugin.video.slipstream", "priority": 50 }';
const CHANGED = '{ "name": "My Slipstream", "priority": 1 }';
const OLD_RESOLVABLE = OLD.replace('50', '60');
Object.assign(KNOWN_VERSIONS, {
  [playerFingerprint(OLD)!]: 'script',
  [playerFingerprint(OLD_RESOLVABLE)!]: 'resolvable',
});

/** The first question is how a film is started. */
const wayOf = (form: Form) => (form === 'script' ? 'script' : 'resolvable');

function stage({ installed = [TMDBHELPER], content }: { installed?: string[]; content?: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const host = recordingHost({ addons: { installed, folder } });
  const data = host.addons!.dataFolder(TMDBHELPER);
  const players = join(data, 'players');
  const path = join(players, FILE_NAME);
  if (content !== undefined) {
    mkdirSync(players, { recursive: true });
    writeFileSync(path, content);
  }
  const log = memoryLog();
  const context = { host, log, signal: host.aborted, play: () => Promise.resolve(false) };
  return {
    folder,
    data,
    players,
    path,
    log,
    person: host.person,
    run: () => runPlayerFile(context),
    update: () => updatePlayerFile(host, log),
    text: () => readFileSync(path, 'utf8'),
    files: () => readdirSync(players),
  };
}

describe('the player file', () => {
  test.each(FORMS)('is installed in the form that was chosen: %s', async (form) => {
    const s = stage();
    const running = s.run();
    expect((await s.person.choose(wayOf(form))).title).toContain('not installed');
    if (form !== 'script') await s.person.choose(form);
    expect((await s.person.goOn()).text).toContain('among the players of TMDbHelper');
    await running;
    expect(s.text()).toBe(playerText(form));
    expect(s.files()).toEqual([FILE_NAME]);
  });

  test('can be had in the other form, without a question when nobody has changed it', async () => {
    const s = stage({ content: playerText('script') });
    const running = s.run();
    const menu = await s.person.choose('resolvable');
    await s.person.choose('resolvable');
    expect(menu).toMatchObject({ focused: 'script' });
    expect(menu.rows.find(({ id }) => id === 'script')?.detail).toMatch(/^Installed\./);
    await s.person.goOn();
    await running;
    expect(s.text()).toBe(playerText('resolvable'));
    expect(s.files()).toEqual([FILE_NAME]);
  });

  test('asks what is to follow an episode, and says what that needs', async () => {
    const s = stage({ content: playerText('resolvable-playlist') });
    const running = s.run();
    const menu = await s.person.choose('resolvable');
    expect(menu.focused).toBe('resolvable');
    const next = await s.person.back();
    expect(next).toMatchObject({ focused: 'resolvable-playlist' });
    const details = JSON.stringify(next);
    expect(details).toMatch(
      /Installed\. The next one follows at once\. A film started right after a cancelled/,
    );
    expect(details).toContain('has yet to be installed');
    // Back leads to the question before it.
    await s.person.back();
    await running;
    expect(s.text()).toBe(playerText('resolvable-playlist'));
    const withIt = stage({ installed: [TMDBHELPER, 'service.upnext'] });
    const again = withIt.run();
    await withIt.person.choose('resolvable');
    expect(JSON.stringify(await withIt.person.back())).not.toContain('has yet to be installed');
    await withIt.person.back();
    await again;
  });

  test('is explained: what each form is good for, and what it costs', async () => {
    const s = stage();
    const running = s.run();
    await s.person.choose('explain');
    const { text } = await s.person.goOn();
    expect(text).toContain('remembers where you stopped');
    expect(text).toContain('no next episode follows');
    expect(text).toContain('Take this one, unless');
    await s.person.back();
    await running;
    expect(existsSync(s.path)).toBe(false);
  });

  test('that somebody has changed is left alone unless they say so', async () => {
    const s = stage({ content: CHANGED });
    const running = s.run();
    expect((await s.person.choose('script')).title).toContain('changed by you');
    await s.person.confirm(false);
    await s.person.back();
    await running;
    expect(s.text()).toBe(CHANGED);
    expect(s.files()).toEqual([FILE_NAME]);
  });

  test('that somebody has changed is kept beside the new one', async () => {
    const s = stage({ content: CHANGED });
    const running = s.run();
    await s.person.choose('script');
    expect((await s.person.confirm(true)).text).toContain(`${FILE_NAME}.bak`);
    await s.person.goOn();
    await running;
    expect(s.text()).toBe(playerText('script'));
    expect(readFileSync(`${s.path}.bak`, 'utf8')).toBe(CHANGED);
  });

  test('that was changed twice is kept twice', async () => {
    const s = stage({ content: CHANGED });
    const replace = async () => {
      const running = s.run();
      await s.person.choose('script');
      await s.person.confirm(true);
      await s.person.goOn();
      await running;
    };
    await replace();
    const again = '{ "name": "Mine again" }';
    writeFileSync(s.path, again);
    await replace();
    expect(s.text()).toBe(playerText('script'));
    expect(readFileSync(`${s.path}.bak`, 'utf8')).toBe(CHANGED);
    expect(readFileSync(`${s.path}.2.bak`, 'utf8')).toBe(again);
  });

  test('that is no file of ours is kept, however large it is', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(300_000) });
    const s = stage({ content: large });
    const running = s.run();
    await s.person.choose('script');
    await s.person.confirm(true);
    await s.person.goOn();
    await running;
    expect(s.text()).toBe(playerText('script'));
    expect(readFileSync(`${s.path}.bak`, 'utf8')).toBe(large);
  });

  test('is removed; changed, only after a question, and kept beside', async () => {
    const own = stage({ content: playerText('resolvable') });
    let running = own.run();
    await own.person.choose('remove');
    await own.person.goOn();
    await running;
    expect(own.files()).toEqual([]);
    const s = stage({ content: CHANGED });
    running = s.run();
    await s.person.choose('remove');
    await s.person.confirm(true);
    await s.person.goOn();
    await running;
    expect(s.files()).toEqual([`${FILE_NAME}.bak`]);
  });

  test('is said not to be seen while TMDbHelper prefers what it has written itself', async () => {
    const s = stage();
    const override = join(s.data, 'reconfigured_players', FILE_NAME);
    mkdirSync(join(s.data, 'reconfigured_players'), { recursive: true });
    writeFileSync(override, CHANGED);
    const running = s.run();
    await s.person.choose('resolvable');
    await s.person.choose('resolvable');
    expect((await s.person.goOn()).text).toContain(override);
    await running;
    expect(readFileSync(override, 'utf8')).toBe(CHANGED);
  });

  test('without TMDbHelper comes with how to get it', async () => {
    const s = stage({ installed: [] });
    const running = s.run();
    expect((await s.person.goOn()).text).toContain('Install from repository');
    await running;
    expect(existsSync(s.data)).toBe(false);
  });

  test('is not written through a link: neither that of the file nor that of a folder', async () => {
    const s = stage({ content: 'x' });
    const outside = join(s.folder, 'outside.json');
    writeFileSync(outside, 'untouched');
    rmSync(s.path);
    symlinkSync(outside, s.path);
    const running = s.run();
    await s.person.choose('script');
    await s.person.confirm(true);
    await s.person.goOn();
    await running;
    expect(lstatSync(s.path).isSymbolicLink()).toBe(false);
    expect(readFileSync(outside, 'utf8')).toBe('untouched');
    expect(lstatSync(`${s.path}.bak`).isSymbolicLink()).toBe(true);
    const away = stage();
    const elsewhere = mkdtempSync(join(tmpdir(), 'slipstream-test-'));
    onTestFinished(() => {
      rmSync(elsewhere, { recursive: true });
    });
    mkdirSync(away.data, { recursive: true });
    symlinkSync(elsewhere, away.players);
    await expect(away.run()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('that cannot be written fails in words, and leaves what was there', async () => {
    const s = stage();
    mkdirSync(s.data, { recursive: true });
    writeFileSync(s.players, 'a file in the place of the folder');
    const failing = expect(s.run()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await failing;
    expect(readFileSync(s.players, 'utf8')).toBe('a file in the place of the folder');
  });
});

describe('the update of the player file', () => {
  test.each([
    ['script', OLD],
    ['resolvable', OLD_RESOLVABLE],
  ] as const)('replaces one of ours that is old, in its form, without a word: %s', async (form, content) => {
    const s = stage({ content });
    await s.update();
    expect(s.text()).toBe(playerText(form));
    expect(s.files()).toEqual([FILE_NAME]);
    expect(s.person.history).toEqual([]);
  });

  test.each([CHANGED, '', 'not json', playerText('resolvable'), playerText('resolvable-upnext')])(
    'leaves everything else: %j',
    async (content) => {
      const s = stage({ content });
      await s.update();
      expect(s.text()).toBe(content);
    },
  );

  test('installs nothing, and never fails', async () => {
    const s = stage();
    await s.update();
    expect(existsSync(s.data)).toBe(false);
    mkdirSync(s.path, { recursive: true });
    await s.update();
    const away = stage();
    mkdirSync(away.data, { recursive: true });
    symlinkSync(tmpdir(), away.players);
    await away.update();
    expect(away.log.lines.join()).toContain('could not be brought up to date');
  });
});
