import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import { kodiHost } from '../../src/host/kodi/index.ts';
import type { ChoiceQuestion, CodeCard, Host, YesNoQuestion } from '../../src/host/port.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { memoryLog } from '../support/log.ts';
import { film, hostOf, type KodiWithEngineHere, kodiWithEngineHere } from './engine-here.ts';
import type { Kodi } from './harness/index.ts';
import { row, view } from './picker-stage.ts';
import { choose, WINDOWS, windowIs } from './remote-control.ts';
import { ADDON_ID, noDialogIsUp, ourWindowIsUp, quitsClean } from './slipstream.ts';

const root = await rootOrSkip('questions in a real Kodi 21');

const SERVICES = [
  'nzbdav',
  'AltMount',
  'SABnzbd',
  'NZBGet',
  'StreamNZB',
  'AIOStreams',
  'Example',
  'Another',
  'Last',
];
const CHOICE: ChoiceQuestion = {
  title: 'Which service plays your films?',
  rows: SERVICES.map((label) => ({ id: label, label, detail: 'A line below it' })),
};
const YES_NO: YesNoQuestion = { title: 'A test', text: 'Does it play?', yes: 'It plays', no: 'It does not' };
const PAGE = {
  title: 'The last failure',
  text: Array.from({ length: 60 }, (_, n) => `Line ${n} of what happened`).join('\n'),
};
const CARD: CodeCard = {
  title: 'Set up with your phone',
  address: 'http://192.168.178.42:40817',
  code: '4711',
  text: 'Scan the picture with your phone, which has to be in the same network.',
  status: 'Waiting for your phone',
};
const live = () => new AbortController().signal;
/** Each opens a window of ours, with the focus on this. */
const QUESTIONS: readonly (readonly [string, (host: Host) => Promise<unknown>])[] = [
  ['nzbdav', ({ questions }) => questions.choose(CHOICE, live())],
  [YES_NO.yes, ({ questions }) => questions.confirm(YES_NO, live())],
  [YES_NO.no, ({ questions }) => questions.confirm({ ...YES_NO, focused: 'no' }, live())],
  ['Close', ({ questions }) => questions.show(PAGE, live())],
];

interface Stage extends KodiWithEngineHere {
  readonly host: Host;
  /** Where the host keeps its data; the same folder for Kodi. */
  readonly data: string;
  /** Ends the engine. */
  end(): void;
}

async function stage(): Promise<Stage> {
  const data = await folder();
  const here = await kodiWithEngineHere(root!, { binds: [{ from: data, to: data }] });
  const { peer, start, end } = await here.call('/setup/first-run');
  return { ...here, host: kodiHost(peer, { ...start, data }, memoryLog()), data, end };
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'slipstream-questions-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

async function press({ kodi }: { kodi: Kodi }, key: string): Promise<void> {
  await kodi.rpc(`Input.${key}`);
}

async function isActive({ kodi }: { kodi: Kodi }, window: string): Promise<boolean> {
  const name = `Window.IsActive(${window})`;
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true;
}

async function keyboardIsUp(s: Stage): Promise<void> {
  await s.kodi.until('a text is asked for', async () => (await isActive(s, 'virtualkeyboard')) || undefined);
}

/** What is on the screen once it has come to rest, and is something else than this. */
async function picture({ kodi }: Stage, other?: Buffer): Promise<Buffer> {
  const file = join(await folder(), 'screen.png');
  const look = async () => {
    await kodi.screenshot(file);
    return readFile(file);
  };
  let last = await look();
  return kodi.until('the screen has changed', async () => {
    const before = last;
    last = await look();
    return last.equals(before) && !(other?.equals(last) ?? false) ? last : undefined;
  });
}

/** What Kodi complained of since a window of ours opened. */
async function complaints({ kodi }: Stage): Promise<string[]> {
  const [, ours = ''] = (await kodi.log()).split('resources/skins/Default/1080i/slipstream-');
  return ours.split('\n').filter((line) => / error | warning /.test(line) && !line.includes('Sink Timer'));
}

/** Waits until this row, or this button, has the focus in a window of ours. */
async function focusIs({ kodi }: { kodi: Kodi }, label: string): Promise<void> {
  let last: unknown;
  const look = async () => {
    last = [
      await kodi.infoLabel('Container(50).ListItem.Label'),
      await kodi.infoLabel('System.CurrentControl'),
    ];
    return (last as string[]).includes(label) || undefined;
  };
  await kodi.until(`${label} has the focus`, look, 5000).catch((error: unknown) => {
    throw new Error(`instead of ${label}: ${JSON.stringify(last)}`, { cause: error });
  });
  await ourWindowIsUp(kodi);
}

describe.skipIf(!root)('questions in Kodi', () => {
  test('are answered by keys', async () => {
    const s = await stage();
    const choice = s.host.questions.choose({ ...CHOICE, focused: 'NZBGet' }, live());
    await focusIs(s, 'NZBGet');
    await press(s, 'Down');
    await focusIs(s, 'StreamNZB');
    await press(s, 'Select');
    expect(await choice).toBe('StreamNZB');

    const yes = s.host.questions.confirm(YES_NO, live());
    await focusIs(s, YES_NO.yes);
    await press(s, 'Select');
    expect(await yes).toBe(true);
    // The same question again: its first window must not take the next key.
    await noDialogIsUp(s.kodi);
    const no = s.host.questions.confirm(YES_NO, live());
    await focusIs(s, YES_NO.yes);
    await press(s, 'Right');
    await focusIs(s, YES_NO.no);
    await press(s, 'Select');
    expect(await no).toBe(false);

    for (const [focused, ask] of QUESTIONS) {
      const answer = ask(s.host);
      await focusIs(s, focused);
      await press(s, 'Back');
      expect(await answer).toBeUndefined();
    }
    expect(await complaints(s)).toEqual([]);
  });

  test('show a long text page by page', async () => {
    const s = await stage();
    // Below it, so that no clock of Kodi's is on the screen.
    const list = await s.host.openPicker(view([row('one')]), live());
    await ourWindowIsUp(s.kodi);
    const below = await picture(s);
    const shown = s.host.questions.show(PAGE, live());
    const first = await picture(s, below);
    await press(s, 'Down');
    const second = await picture(s, first);
    await press(s, 'Up');
    expect(await picture(s, second)).toEqual(first);
    await press(s, 'Select');
    await shown;
    await list.close();
    expect(await complaints(s)).toEqual([]);
  });

  test("take a text from Kodi's keyboard, and tell an emptied one from one that was left", async () => {
    const s = await stage();
    const written = s.host.questions.text({ title: 'Address', value: 'http://nas' }, live());
    await keyboardIsUp(s);
    // What stands there already is taken by OK.
    await press(s, 'Select');
    expect(await written).toBe('http://nas');
    for (const text of ['hunter2', '']) {
      const answer = s.host.questions.text({ title: 'Key', value: 'old', hidden: true }, live());
      await keyboardIsUp(s);
      await s.kodi.rpc('Input.SendText', { text, done: true });
      expect(await answer).toBe(text);
    }
    const left = s.host.questions.text({ title: 'Key', value: 'old' }, live());
    await keyboardIsUp(s);
    await press(s, 'Back');
    expect(await left).toBeUndefined();
  });

  test('show a code until the person goes back', async () => {
    const s = await stage();
    const card = await s.host.openCodeCard(CARD, live());
    await focusIs(s, 'Back');
    expect(await readdir(join(s.data, 'code'))).toHaveLength(1);
    await card.update({ ...CARD, status: 'Your phone is here' });
    await press(s, 'Select');
    await card.closed;
    expect(await readdir(s.data)).toEqual([]);
    expect(await complaints(s)).toEqual([]);
  });

  test('end with Kodi at once, whatever is asked', async () => {
    const s = await stage();
    const asked = s.host.questions.choose(CHOICE, s.host.aborted);
    await ourWindowIsUp(s.kodi);
    s.host.aborted.addEventListener('abort', s.end);
    const quit = quitsClean(s.kodi);
    // Kodi takes the window away before it says why.
    expect(await asked).toBeUndefined();
    await quit;
    expect(s.host.aborted.reason).toBeInstanceOf(CancelledError);
  });
});

describe.skipIf(!root)('a row of the menu that is no film', () => {
  test('is done beside the call that Kodi waits for, and may play a film', async () => {
    const s = await kodiWithEngineHere(root!);
    const menu = `plugin://${ADDON_ID}/`;
    const choosesInMenu = async () => {
      await s.kodi.rpc('GUI.ActivateWindow', { window: 'videos', parameters: [menu, 'return'] });
      const listing = await s.next();
      expect(listing.start).toMatchObject({ entry: 'resolve' });
      await hostOf(listing).showMenu([
        { label: 'Test', help: 'Tests it', icon: 'test', route: '/setup/test?service=x' },
      ]);
      listing.end();
      await windowIs(s.kodi, WINDOWS.videos);
      await choose(s.kodi, 'Test');
    };
    // The menu last: when a film has ended over it, Kodi asks for it anew.
    for (const open of [
      () => s.kodi.rpc('Player.Open', { item: { file: `${menu}setup/test?service=x` } }),
      choosesInMenu,
    ]) {
      await open();
      const action = await s.next();
      expect(action.start).toMatchObject({ entry: 'action', handle: -1 });
      expect(action.start.argv[0]).toBe(`${menu}setup/test`);
      expect(action.start.argv[2]).toBe('?service=x');
      await s.kodi.until(
        'Kodi waits for nothing',
        async () => !(await isActive(s, 'busydialog')) || undefined,
      );
      const host = hostOf(action);
      await host.play({ stream: await film(60), title: 'A test film' });
      await s.kodi.until('it plays', () => s.kodi.player.position());
      const plays = host.questions.confirm(YES_NO, live());
      await focusIs(s, YES_NO.yes);
      await press(s, 'Select');
      expect(await plays).toBe(true);
      await s.kodi.player.stop();
      action.end();
      await s.idle();
    }
  });
});

describe.skipIf(!root)('the settings in Kodi', () => {
  const setting = (id: string, type: string, value: string, control: string) =>
    `<setting id="${id}" type="${type}" label="30000"><level>0</level><default>${value}</default>` +
    `<constraints><allowempty>true</allowempty></constraints>${control}</setting>`;
  const page = (id: string, label: number, settings: string) =>
    `<category id="${id}" label="${label}"><group id="1">${settings}</group></category>`;
  const XML = `<settings version="1"><section id="${ADDON_ID}">${[
    page('first', 128, setting('name', 'string', 'x', '<control type="edit" format="string"/>')),
    page('second', 129, setting('wanted', 'boolean', 'false', '<control type="toggle"/>')),
    page('third', 130, setting('size', 'integer', '1', '<control type="edit" format="integer"/>')),
  ].join('')}</section></settings>`;

  test('are stored as text whatever their type, and open at a page', async () => {
    const s = await kodiWithEngineHere(root!, { settingsXml: XML });
    const host = hostOf(await s.call('/setup/settings'));
    await host.writeSettings({ name: 'Sintel & co', wanted: 'true', size: '42' });
    await host.writeSettings({ name: '' });
    expect(await host.readSettings(['name', 'wanted', 'size'])).toEqual({
      name: '',
      wanted: 'true',
      size: '42',
    });
    await expect(host.writeSettings({ other: 'x' })).rejects.toMatchObject({ code: 'HOST_FAILED' });
    expect(await host.addons?.isInstalled(ADDON_ID)).toBe(true);
    expect(await host.addons?.isInstalled('plugin.video.absent')).toBe(false);
    expect(host.addons?.dataFolder('plugin.video.example')).toMatch(/addon_data\/plugin\.video\.example$/);

    await host.openSettings('third');
    await s.kodi.until('they are open', async () => (await isActive(s, 'addonsettings')) || undefined);
    const focused = () => s.kodi.infoLabel('System.CurrentControl');
    // Kodi's own words for the number 130.
    await s.kodi.until(
      'the page has the focus',
      async () => (await focused()) === 'System info' || undefined,
    );
  });
});
