import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../../sandbox/index.ts';
import { deferred } from '../../../src/io/deferred.ts';
import { playLikeKodi } from '../../../tools/demo/play-like-kodi.ts';
import { ENGINE_FILE } from '../../support/engine.ts';
import { serve } from '../../support/http-server.ts';
import { openPty } from '../../support/pty.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { KEYS, type Stage, stage } from '../stage.ts';
import { type Answers, shellPerson } from './shell-person.ts';

/** 200 characters, none of which a key, a shell or a terminal may take for something else. */
const PASTED = 'ä$"\'\\ %🔑#x'.repeat(20);
/** What a shell, a terminal, an address or a document may take for something else. */
const SPECIAL = 'ä$"\'\\ %&;#!`(){}[]<>|*?~^=+,.:/@-_🔑ß€';
/** A yes or no counts as well. */
const MOST_QUESTIONS = 9;

/** `slipstream setup`, and the person in front of it. */
async function setUp(services: SandboxOptions = {}) {
  const { sandbox } = await stage({}, services);
  const folder = temporaryFolder();
  const settings = join(folder, 'settings.json');
  const paths = ['--settings', settings, '--data', join(folder, 'data')];
  const shell = openPty([process.execPath, ENGINE_FILE, 'setup', ...paths]);
  const stored = async () => JSON.parse(await readFile(settings, 'utf8')) as unknown;
  return { sandbox, shell, person: shellPerson(shell), stored, settings, paths: paths.join(' ') };
}

/** One indexer, and one service that plays. */
const answersFor = ({ indexer, backend }: Stage['sandbox'], indexerKeys: readonly string[]): Answers => [
  [REFUSED, 'y'],
  ['What do you search with?', '1'],
  ['Which indexer?', indexer.url.replace('http://', '')],
  ['Indexer API key', ...indexerKeys],
  ['What gets a release ready', '1'],
  ['nzbdav address', backend.apiUrl],
  ['nzbdav API key', KEYS.apiKey],
  ['WebDAV user (Enter: admin)', backend.username === 'admin' ? '' : backend.username],
  ['WebDAV password', KEYS.password],
  ['Everything is set up', ''],
];
const REFUSED = 'refused the API key';
const SERVED = 'Served until Ctrl-C.';

/** Reads what was handed out as Kodi does, and compares every byte. */
async function plays({ clipsOf, jobs }: Stage['sandbox'], shown: string): Promise<void> {
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+\/stream\/\S+/.exec(shown) ?? [];
  const [clip] = clipsOf(jobs()[0]?.name ?? '');
  expect(clip?.size).toBeGreaterThan(1_000_000);
  const signal = new AbortController().signal;
  await playLikeKodi({ url, clip: clip!, signal, progress: () => undefined, toTheEnd: false });
}

test('from an empty shell to the first film at most nine things are asked, and it plays as it is', async () => {
  const since = performance.now();
  const { sandbox, shell, person, settings, paths } = await setUp();
  await person.answerUntil(SERVED, answersFor(sandbox, [KEYS.indexerKey]));
  expect(performance.now() - since).toBeLessThan(60_000);
  expect(person.count()).toBeLessThanOrEqual(MOST_QUESTIONS);
  // What went well is told as well.
  for (const told of ['Indexer works.', 'nzbdav works.', 'releases found.'])
    expect(shell.text()).toContain(told);
  // To be copied: not broken, and with the files that it was given.
  await shell.shows(`\r\n  slipstream play "Sintel" --year 2010 ${paths}\r\n`);
  await shell.shows(`  slipstream test ${paths}\r\n  slipstream setup ${paths}  (to add`);
  await shell.shows(`The settings are in:\r\n  ${settings}`);
  await plays(sandbox, shell.text());
  await shell.type('\u0003');
  expect(await shell.ended).toBe(0);
}, 120_000);

test('another user than the usual one is asked for, so that nothing is refused', async () => {
  const { sandbox, shell, person, stored } = await setUp({ username: 'sita' });
  const answers = answersFor(sandbox, [KEYS.indexerKey]).filter(([words]) => words !== REFUSED);
  await person.answerUntil('Everything is set up', answers);
  expect(person.count()).toBeLessThan(MOST_QUESTIONS);
  expect(shell.text()).not.toMatch(/does not work|refused/);
  expect(await stored()).toMatchObject({ webdav_username: 'sita', webdav_password: KEYS.password });
  const asked = sandbox.requests.filter(({ status }) => status === 401);
  expect(asked).toEqual([]);
}, 60_000);

test('a key may be pasted, is stored as it is, and is never shown', async () => {
  const { sandbox, shell, person, stored } = await setUp();
  const pasted = `\u001b[200~${PASTED}\u001b[201~`;
  const answers = answersFor(sandbox, [pasted, KEYS.indexerKey]);
  await person.answerUntil(REFUSED, answers);
  expect(await stored()).toMatchObject({ indexer_api_key: PASTED });
  await person.answerUntil(SERVED, answersFor(sandbox, [KEYS.indexerKey]));
  expect(await stored()).toEqual({
    indexer_name: sandbox.indexer.url.replace('http://', ''),
    indexer_url: sandbox.indexer.url,
    indexer_api_key: KEYS.indexerKey,
    playback_backend: 'webdav',
    webdav_api_url: sandbox.backend.apiUrl,
    webdav_api_key: KEYS.apiKey,
    webdav_username: 'admin',
    webdav_password: KEYS.password,
  });
  for (const secret of [PASTED, KEYS.indexerKey, KEYS.apiKey, KEYS.password])
    expect(shell.text()).not.toContain(secret);
}, 60_000);

test('what is typed while a service is tested answers nothing that is asked afterwards', async () => {
  const typed = deferred<undefined>();
  const url = await serve((_request, response) => {
    typed.promise.then(() => response.writeHead(500).end()).catch(() => undefined);
  });
  const { sandbox, shell, person } = await setUp();
  await person.answerUntil(
    'Testing ',
    answersFor({ ...sandbox, indexer: { ...sandbox.indexer, url } }, ['key']),
  );
  // A whole answer, which would go back, and one without its Enter.
  await shell.type('q\ry');
  typed.resolve(undefined);
  await shell.shows('q: back: ');
  await shell.type('n\r');
  await shell.shows('Go on without it');
}, 60_000);

test('special characters are typed into a key, one key at a time, and Ctrl-C and Ctrl-D go back from it', async () => {
  const { sandbox, shell, person, stored } = await setUp();
  await person.answerUntil('It is not shown', answersFor(sandbox, []));
  for (const character of `${SPECIAL}x\u007f`) await shell.type(character);
  await shell.type('\r');
  await shell.shows(REFUSED);
  expect(await stored()).toMatchObject({ indexer_api_key: SPECIAL });
  await shell.type('y\r');
  for (const away of ['\u0003', '\u0004']) {
    await shell.shows('Indexer API key: ');
    await shell.type(`half a key`);
    // Ctrl-D ends an empty line only.
    if (away === '\u0004') await shell.type('\u007f'.repeat(10));
    await shell.type(away);
    await shell.shows('q: back: ');
    await shell.type('y\r');
  }
  await shell.shows('Indexer API key: ');
  await shell.type(`${KEYS.indexerKey}\r`);
  await shell.shows('Indexer works.');
  expect(await stored()).toMatchObject({ indexer_api_key: KEYS.indexerKey });
  expect(shell.text()).not.toContain(SPECIAL);
}, 60_000);

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])(
  '%s at the first question leaves, with nothing entered',
  async (_key, key) => {
    const { shell, stored } = await setUp();
    await shell.shows('q: back): ');
    await shell.type(key);
    expect(await shell.ended).toBe(0);
    expect(await stored()).toEqual({});
  },
  60_000,
);

test('a film that fails is told once, with its details on a key', async () => {
  const { sandbox, shell, person } = await setUp();
  sandbox.faults.submit = { error: 'Nothing is taken today', status: 500 };
  await person.answerUntil('did not play', answersFor(sandbox, [KEYS.indexerKey]));
  await shell.shows('n: Details, q: back: ');
  expect(shell.text().match(/that were tried failed/g)).toHaveLength(1);
  await shell.type('n\r');
  await shell.shows('Details\r\n');
}, 60_000);
