import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { kodiHost } from '../../src/host/kodi/index.ts';
import type { CodeCard, Host } from '../../src/host/port.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { memoryLog } from '../support/log.ts';
import { type KodiWithEngineHere, kodiWithEngineHere } from './engine-here.ts';
import { ourWindowIsUp } from './slipstream.ts';

const root = await rootOrSkip('questions in a real Kodi 21');

const CARD: CodeCard = {
  title: 'Set up with your phone',
  address: 'http://192.168.178.42:40817',
  code: '4711',
  text: 'Scan the picture with your phone, which has to be in the same network. Or open the address in a browser, and type the code.',
  status: 'Waiting for your phone',
};
const SERVICES = [
  'nzbdav',
  'AltMount',
  'SABnzbd',
  'NZBGet',
  'StreamNZB',
  'AIOStreams',
  'NZBHydra 2',
  'Prowlarr',
  'Example',
  'Last',
];
const CHOICE = {
  title: 'Which service plays your films?',
  rows: SERVICES.map((label, index) => ({
    id: label,
    label,
    ...(index % 3 !== 2 && { detail: 'Plays without a download, and needs a server that is always on' }),
  })),
};
const live = () => new AbortController().signal;

async function isActive({ kodi }: KodiWithEngineHere, window: string): Promise<true | undefined> {
  const name = `Window.IsActive(${window})`;
  const answer = (await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [name] })) as Record<string, boolean>;
  return answer[name] === true ? true : undefined;
}

interface Stage extends KodiWithEngineHere {
  readonly host: Host;
  /** Where the host keeps its data; the same folder for Kodi. */
  readonly data: string;
  press(key: string, times?: number): Promise<void>;
  /** Waits until our window shows. */
  isUp(): Promise<void>;
}

async function stage(): Promise<Stage> {
  const data = await mkdtemp(join(tmpdir(), 'slipstream-questions-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const here = await kodiWithEngineHere(root!, { binds: [{ from: data, to: data }] });
  const engine = await here.call('/setup/first-run');
  const host = kodiHost(engine.peer, { ...engine.start, data }, memoryLog());
  return {
    ...here,
    host,
    data,
    press: async (key, times = 1) => {
      for (let n = 0; n < times; n++) await here.kodi.rpc(`Input.${key}`);
    },
    isUp: () => ourWindowIsUp(here.kodi),
  };
}

describe.skipIf(!root)('questions in Kodi', () => {
  test('pictures', async () => {
    const s = await stage();
    const shoot = async (name: string) => {
      await s.isUp();
      await new Promise((resolve) => setTimeout(resolve, 700));
      await s.kodi.screenshot(`/tmp/h4/${name}.png`);
    };
    const choice = s.host.questions.choose({ ...CHOICE, focused: 'AltMount' }, live());
    await shoot('choice');
    await s.press('Back');
    await choice;
    const confirm = s.host.questions.confirm(
      {
        title: 'A test film',
        text: 'Does Big Buck Bunny play, with picture and sound?',
        yes: 'It plays',
        no: 'It does not',
      },
      live(),
    );
    await shoot('confirm');
    await s.press('Select');
    expect(await confirm).toBe(true);
    const text = Array.from(
      { length: 60 },
      (_, n) => `Line ${n} of what happened, as far as it is known`,
    ).join('\n');
    const page = s.host.questions.show({ title: 'The last failure', text }, live());
    await shoot('page');
    await s.press('Down');
    await shoot('page2');
    await s.press('Select');
    await page;
    const card = await s.host.openCodeCard(CARD, live());
    await shoot('card');
    await card.close();
    expect(await readdir(s.data)).toEqual([]);
    const input = s.host.questions.text({ title: 'Address', value: 'http://nas', hidden: true }, live());
    await s.kodi.until('keyboard', () => isActive(s, 'virtualkeyboard'));
    await new Promise((resolve) => setTimeout(resolve, 700));
    await s.kodi.screenshot(`/tmp/h4/keyboard.png`);
    await s.press('Back');
    expect(await input).toBeUndefined();
    console.log(
      (await s.kodi.log())
        .split('\n')
        .filter((l) => / error | warning /.test(l))
        .join('\n'),
    );
  });
});
