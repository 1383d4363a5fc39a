import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CancelledError } from '../../../src/errors/index.ts';
import { kodiHost, type StartMessage } from '../../../src/host/kodi/index.ts';
import type { PickerRow, PickerView } from '../../../src/host/port.ts';
import { registerSecret } from '../../../src/log/index.ts';
import { fakeKodi } from '../../support/fake-kodi.ts';

const START: StartMessage = {
  entry: 'resolve',
  argv: ['plugin://plugin.video.slipstream/play', '1', '?title=Sintel'],
  handle: 1,
  addon: { id: 'plugin.video.slipstream', version: '0.1.0', path: '/addon' },
  data: '/data',
  kodi: '21.2',
};
const PICKER = 'slipstream-picker-1';
const live = () => new AbortController().signal;

function setUp() {
  const kodi = fakeKodi();
  const event = (params: Record<string, unknown>) => {
    kodi.notify('window.event', { window: PICKER, control: -1, ...params });
  };
  return { kodi, host: kodiHost(kodi.peer, START, kodi.log), event, window: () => kodi.windows.get(PICKER) };
}

const row = (id: string, more: Partial<PickerRow> = {}): PickerRow => ({
  id,
  name: `Sintel.2010.${id}`,
  badges: [],
  size: '',
  bitrate: '',
  age: '',
  indexer: '',
  group: '',
  languages: '',
  downloaded: false,
  pack: false,
  rejections: [],
  details: [],
  ...more,
});
const rejected = (id: string) => row(id, { rejections: ['too large', 'too old'] });

const view = (rows: readonly PickerRow[], more: Partial<PickerView> = {}): PickerView => ({
  title: 'Sintel (2010)',
  summary: `${rows.length} releases`,
  order: 'Size',
  status: '',
  searching: false,
  rows,
  ...more,
});

describe('a row', () => {
  const propertiesOf = async (shown: PickerRow) => {
    const { host, window } = setUp();
    await host.openPicker(view([shown]), live());
    return window()?.lists[50]?.[0];
  };

  test('has a property for each thing that its place in the window shows', async () => {
    const shown = await propertiesOf(
      row('a', {
        badges: [
          { kind: 'resolution', text: '2160p' },
          { kind: 'hdr', text: 'DV' },
          { kind: 'hdr', text: 'HDR10' },
        ],
        size: '7.4 GB',
        bitrate: '12 Mbit/s',
        age: '3 d',
        languages: 'EN DE',
        indexer: 'Example',
        group: 'OPEN',
        downloaded: true,
      }),
    );
    expect(shown).toMatchObject({
      id: 'a',
      label: 'Sintel.2010.a',
      properties: {
        resolution: '2160p',
        source: '',
        hdr: 'DV HDR10',
        size: '7.4 GB',
        facts: '12 Mbit/s · 3 d · EN DE · Example · OPEN',
        downloaded: 'true',
        pack: '',
        rejection: '',
      },
    });
  });

  test('says first why it was rejected, and all the reasons in its details', async () => {
    const shown = await propertiesOf({ ...rejected('a'), details: [{ label: 'Grabs', value: '12' }] });
    expect(shown?.properties['rejection']).toBe('too large');
    const text = shown?.properties['details']?.replace(/\[\/?COLOR[^\]]*\]/g, '');
    expect(text).toBe('too large[CR]too old[CR][CR]Grabs  12');
  });

  test('says that it failed before all else, in its facts and in its details', async () => {
    const shown = await propertiesOf(row('a', { failed: 'failed on 2 Nov', bitrate: '12 Mbit/s' }));
    expect(shown?.properties['facts']).toMatch(/^failed on 2 Nov · 12 Mbit\/s/);
    expect(shown?.properties['details']).toMatch(/^\[COLOR [^\]]+\]Failed on 2 Nov/);
  });

  test('says where the person has left it, in its facts and in its details', async () => {
    const shown = await propertiesOf(row('a', { watched: 'left at 3:44', bitrate: '12 Mbit/s' }));
    expect(shown?.properties['facts']).toMatch(/^left at 3:44 · 12 Mbit\/s/);
    expect(shown?.properties['details']).toMatch(/^\[COLOR [^\]]+\]You left it at 3:44/);
  });

  test('shows a name letter for letter, be it one that Kodi would take for markup or lines', async () => {
    const shown = await propertiesOf(row('a', { name: '[Group] x [B]b[/B][color red]c\r\nd [cr] [2160p]' }));
    expect(shown?.label).toBe('[Group] x (B]b(/B](color red]c d (cr] [2160p]');
  });

  test('holds no secret', async () => {
    registerSecret('s3cr3t-k3y-of-a-list');
    const shown = await propertiesOf(
      row('a', { details: [{ label: 'x', value: 'k=s3cr3t-k3y-of-a-list' }] }),
    );
    expect(shown?.properties['details']).not.toContain('s3cr3t-k3y');
  });
});

describe('the window', () => {
  const listed = (window: ReturnType<ReturnType<typeof setUp>['window']>) =>
    window?.lists[50]?.map(({ id }) => id);

  test('tells what the list is about', async () => {
    const { host, window } = setUp();
    const rows = [row('a'), rejected('b')];
    await host.openPicker(
      view(rows, { status: 'Waiting for Example', searching: true, poster: 'p' }),
      live(),
    );
    expect(window()?.properties).toEqual({
      title: 'Sintel (2010)',
      summary: '2 releases',
      order: 'Size',
      status: 'Waiting for Example',
      searching: 'true',
      toggle: 'Show everything (1 more)',
      empty: '',
      poster: 'p',
      fanart: '',
    });
  });

  test.each([
    ['the context menu', { kind: 'menu' }],
    ['the button', { kind: 'click', control: 70 }],
  ])('shows everything, and again only what passed, by %s', async (_name, press) => {
    const { host, window, event } = setUp();
    await host.openPicker(view([row('a'), rejected('b')]), live());
    event(press);
    await expect.poll(() => listed(window())).toEqual(['a', 'b']);
    expect(window()?.properties['toggle']).toBe('Only what passes');
    event(press);
    await expect.poll(() => listed(window())).toEqual(['a']);
  });

  test('shows everything as long as nothing passed', async () => {
    const { host, window } = setUp();
    const picker = await host.openPicker(view([rejected('b')], { searching: true }), live());
    expect(listed(window())).toEqual(['b']);
    await picker.update(view([row('a'), rejected('b')]));
    expect(listed(window())).toEqual(['a']);
  });

  test('shows what was watched though the filters reject it, and does not count it as hidden', async () => {
    const { host, window, event } = setUp();
    const watched = { ...rejected('w'), watched: 'left at 3:44' };
    const picker = await host.openPicker(view([watched, row('a'), rejected('b')]), live());
    expect(listed(window())).toEqual(['w', 'a']);
    expect(window()?.properties['toggle']).toBe('Show everything (1 more)');
    event({ kind: 'menu' });
    await expect.poll(() => listed(window())).toEqual(['w', 'a', 'b']);
    await picker.update(view([watched, row('a')]));
    expect(window()?.properties['toggle']).toBe('');
  });

  test('hides nothing where only what was watched is left, which the filters reject', async () => {
    const { host, window } = setUp();
    const watched = { ...rejected('w'), watched: 'left at 3:44' };
    await host.openPicker(view([watched, rejected('b')]), live());
    expect(listed(window())).toEqual(['w', 'b']);
  });

  test('gives the focus to the list, to the button while there are no rows, and back', async () => {
    const { host, window, event } = setUp();
    const picker = await host.openPicker(view([], { searching: true }), live());
    expect(window()?.focus).toBe(70);
    expect(window()?.properties['empty']).toBe('Nothing yet');
    await picker.update(view([rejected('b')]));
    expect(window()?.focus).toBe(50);
    expect(window()?.properties['empty']).toBe('');
    event({ kind: 'menu' });
    await expect.poll(() => window()?.focus).toBe(70);
    await picker.update(view([rejected('b'), rejected('c')]));
    expect(window()?.focus).toBe(70);
  });

  test('is sent a row once, and no list when only its header changed', async () => {
    const { kodi, host } = setUp();
    const picker = await host.openPicker(view([row('a'), row('b')]), live());
    await picker.update(view([row('c'), row('a'), row('b', { downloaded: true })]));
    const sent = () => (kodi.calls.at(-1)?.params['lists'] as Record<string, object[]>)[50];
    expect(sent()).toEqual([
      expect.objectContaining({ label: 'Sintel.2010.c' }),
      { id: 'a' },
      expect.objectContaining({ id: 'b' }),
    ]);
    expect(sent()?.[2]).toHaveProperty('label');
    await picker.update(view([row('c'), row('a'), row('b', { downloaded: true })], { status: 'done' }));
    expect(sent()).toBeUndefined();
    expect(kodi.calls.at(-1)?.params['properties']).toMatchObject({ status: 'done' });
  });

  test('shows the first 500 rows and says so', async () => {
    const { host, window } = setUp();
    const rows = Array.from({ length: 501 }, (_, index) => row(String(index)));
    await host.openPicker(view(rows), live());
    await expect.poll(() => listed(window())).toHaveLength(500);
    expect(window()?.properties['summary']).toBe('501 releases; the first 500 are shown');
  });

  test('of many changes at once shows the last one, and none once a row was chosen', async () => {
    const { kodi, host, event, window } = setUp();
    const picker = await host.openPicker(view([row('0')]), live());
    await Promise.all(['1', '2', '3', '4'].map((id) => picker.update(view([row(id)]))));
    expect(listed(window())).toEqual(['4']);
    expect(kodi.calls.filter(({ method }) => method === 'window.update')).toHaveLength(1);
    event({ kind: 'click', control: 50, row: '4' });
    expect(await picker.chosen).toBe('4');
    await picker.update(view([row('5')]));
    expect(kodi.calls.filter(({ method }) => method === 'window.update')).toHaveLength(1);
  });

  describe('while keys are pressed', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    const moving = async () => {
      const s = setUp();
      const picker = await s.host.openPicker(view([row('0'), rejected('r')], { searching: true }), live());
      const updates = () => s.kodi.calls.filter(({ method }) => method === 'window.update').length;
      // What the engine hears is heard in order.
      const heard = () => s.kodi.request('window.back', { window: 'another' });
      const press = async () => {
        s.event({ kind: 'moved' });
        await heard();
      };
      await press();
      return { ...s, picker, updates, heard, press };
    };

    test('stays as it is, and shows the latest once they have rested for half a second', async () => {
      const { picker, updates, heard, press, window } = await moving();
      const first = picker.update(view([row('1')]));
      for (let n = 0; n < 5; n++) {
        await vi.advanceTimersByTimeAsync(499);
        await press();
      }
      const second = picker.update(view([row('2')]));
      await vi.advanceTimersByTimeAsync(499);
      await heard();
      expect(updates()).toBe(0);
      await vi.advanceTimersByTimeAsync(1);
      await Promise.all([first, second]);
      expect([listed(window()), updates()]).toEqual([['2'], 1]);
    });

    test('shows what the person asks for at once, with what waited', async () => {
      const { picker, event, window } = await moving();
      const held = picker.update(view([row('1'), rejected('r')]));
      event({ kind: 'menu' });
      // No time has passed.
      await held;
      expect(listed(window())).toEqual(['1', 'r']);
    });

    test('holds nobody up who has chosen, and changes nothing after that', async () => {
      const { picker, event, updates, press } = await moving();
      const held = picker.update(view([row('1')]));
      event({ kind: 'click', control: 50, row: '0' });
      await press();
      expect(await picker.chosen).toBe('0');
      await held;
      expect(updates()).toBe(0);
    });
  });

  test('chooses nothing by a click outside of the rows', async () => {
    const { host, event } = setUp();
    const picker = await host.openPicker(view([row('a')]), live());
    event({ kind: 'click', control: 60, row: '' });
    event({ kind: 'click', control: 50, row: '' });
    event({ kind: 'focus', control: 50, row: 'a' });
    event({ kind: 'click', control: 50, row: 'a' });
    expect(await picker.chosen).toBe('a');
  });

  test('that the host closed by itself counts as going back', async () => {
    const { host, event } = setUp();
    const picker = await host.openPicker(view([row('a')]), live());
    event({ kind: 'closed' });
    expect(await picker.chosen).toBeUndefined();
  });

  test('opens only once the progress window is up, so that it comes in front', async () => {
    const { kodi, host } = setUp();
    await host.openProgress('Sintel (2010)');
    await host.openPicker(view([row('a')]), live());
    expect([...kodi.windows.keys()]).toEqual(['slipstream-progress-1', 'slipstream-picker-2']);
  });

  test('that an abort meets while it opens is closed', async () => {
    const { kodi, host } = setUp();
    const controller = new AbortController();
    const opening = host.openPicker(view([row('a')]), controller.signal);
    const reason = new CancelledError('person');
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
    expect(kodi.windows.size).toBe(0);
    expect(kodi.dialog).toBeUndefined();
  });
});

describe("where the window cannot open, Kodi's own dialog", () => {
  const setUpWithout = () => {
    const { kodi, host } = setUp();
    kodi.refuse('window.open');
    const dialog = async () => {
      await expect.poll(() => kodi.dialog).toBeDefined();
      return kodi.dialog!;
    };
    return { kodi, host, dialog };
  };

  test('lists what passed and gives the id of the chosen row', async () => {
    const { host, kodi, dialog } = setUpWithout();
    const picker = await host.openPicker(
      view([row('a', { size: '7.4 GB' }), row('b'), rejected('c')]),
      live(),
    );
    const { params, answer } = await dialog();
    expect(params).toEqual({
      heading: 'Sintel (2010)',
      rows: [
        { label: 'Sintel.2010.a', label2: '7.4 GB' },
        { label: 'Sintel.2010.b', label2: '' },
      ],
    });
    answer(1);
    expect(await picker.chosen).toBe('b');
    expect(kodi.log.lines.join('\n')).toContain("Kodi's own dialog");
  });

  test('waits for the first rows, and then does not change', async () => {
    const { kodi, host, dialog } = setUpWithout();
    const picker = await host.openPicker(view([], { searching: true }), live());
    await picker.update(view([rejected('a')], { searching: true }));
    const { params, answer } = await dialog();
    expect(params['rows']).toHaveLength(1);
    await picker.update(view([row('b')]));
    expect(kodi.calls.filter(({ method }) => method === 'dialog.select')).toHaveLength(1);
    answer();
    expect(await picker.chosen).toBeUndefined();
  });

  test('is closed with the list, and by an abort', async () => {
    const { kodi, host, dialog } = setUpWithout();
    const picker = await host.openPicker(view([row('a')]), live());
    await dialog();
    await picker.close();
    expect(await picker.chosen).toBeUndefined();
    await expect.poll(() => kodi.dialog).toBeUndefined();
    const controller = new AbortController();
    const other = await host.openPicker(view([row('a')]), controller.signal);
    await dialog();
    controller.abort(new CancelledError('shutdown'));
    await expect(other.chosen).rejects.toMatchObject({ by: 'shutdown' });
    await expect.poll(() => kodi.dialog).toBeUndefined();
  });

  test('does not open for an empty list', async () => {
    const { kodi, host } = setUpWithout();
    const picker = await host.openPicker(view([]), live());
    expect(await picker.chosen).toBeUndefined();
    expect(kodi.calls.map(({ method }) => method)).toEqual(['window.open']);
  });
});
