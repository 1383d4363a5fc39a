import { describe, expect, test } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { mouse } from './picker-mouse.ts';
import { PICKER_XML, type PickerStage, pickerStage, row, view } from './picker-stage.ts';
import { ADDON_ID, ourWindowIsUp, quitsClean } from './slipstream.ts';

const root = await rootOrSkip('the list in a real Kodi 21');

/** Rows "000", "010", "020" …: between each two there is room for nine that come later. */
const tens = (count: number) => Array.from({ length: count }, (_, index) => row(number(index * 10)));
const number = (value: number) => String(value).padStart(3, '0');
const nameOf = (id: string) => row(id).name;

async function press(stage: PickerStage, key: string, times = 1): Promise<void> {
  for (let n = 0; n < times; n++) await stage.kodi.rpc(`Input.${key}`);
}

const action = ({ kodi }: PickerStage, name: string) => kodi.rpc('Input.ExecuteAction', { action: name });

/** Waits until this row has the focus, at this place on the screen. */
async function focusIs(stage: PickerStage, id: string, place: number): Promise<void> {
  let last: unknown;
  const look = async () => {
    last = await stage.focused();
    return JSON.stringify(last) === JSON.stringify([nameOf(id), place]) || undefined;
  };
  await stage.kodi.until(`${id} has the focus at place ${place}`, look, 5000).catch((error: unknown) => {
    throw new Error(`instead of ${id} at ${place}: ${JSON.stringify(last)}`, { cause: error });
  });
}

/** What Kodi complained of since our window opened. */
async function complaints({ kodi }: PickerStage): Promise<string[]> {
  const [, ours = ''] = (await kodi.log()).split('slipstream-picker.xml');
  return ours.split('\n').filter((line) => / error | warning /.test(line) && !line.includes('Sink Timer'));
}

describe.skipIf(!root)('the list in Kodi', () => {
  test('is moved through by keys, and gives what was chosen', async () => {
    const s = await pickerStage(root!);
    await s.show(view(tens(40)));
    // The rest of the rows follows the first ones.
    await s.rowsAre(40);
    await focusIs(s, '000', 0);
    await ourWindowIsUp(s.kodi);
    await press(s, 'Down', 3);
    await focusIs(s, '030', 3);
    await action(s, 'pagedown');
    await focusIs(s, '110', 3);
    await action(s, 'pageup');
    await focusIs(s, '030', 3);
    await action(s, 'lastpage');
    await focusIs(s, '390', 7);
    await press(s, 'Down');
    await focusIs(s, '000', 0);
    await press(s, 'Up');
    await focusIs(s, '390', 7);
    await action(s, 'firstpage');
    await focusIs(s, '000', 0);
    await press(s, 'Down', 2);
    await press(s, 'Select');
    expect(await s.outcome()).toEqual({ chosen: '020' });
    expect(await complaints(s)).toEqual([]);
  });

  test('keeps the focused row, and its place on the screen, while rows come in above and below it', async () => {
    const s = await pickerStage(root!);
    let rows = tens(30);
    await s.show(view(rows, { searching: true }));
    await focusIs(s, '000', 0);
    // Eight rows are on the screen: 120 … 190, with the focus on the third of them.
    await action(s, 'lastpage');
    await press(s, 'Up', 7 + 10);
    await focusIs(s, '120', 0);
    await press(s, 'Down', 2);
    await focusIs(s, '140', 2);
    for (let step = 1; step <= 9; step++) {
      rows = [...rows, ...tens(30).map(({ id }) => row(number(Number(id) + step)))].sort((a, b) =>
        a.id.localeCompare(b.id),
      );
      await s.show(view(rows, { searching: step < 9, status: `step ${step}` }));
      await s.rowsAre(rows.length);
      await focusIs(s, '140', 2);
    }
    // And as rows go again, down to the few that leave it no choice.
    await s.show(view(rows.filter(({ id }) => id >= '100')));
    await focusIs(s, '140', 2);
    await s.show(view([row('120'), row('140'), row('160')]));
    await focusIs(s, '140', 1);
    await s.show(view([row('160'), row('170')]));
    await focusIs(s, '160', 0);
    expect(await complaints(s)).toEqual([]);
  });

  test('loses no key that is pressed while rows come in', async () => {
    const s = await pickerStage(root!);
    let rows = tens(40);
    await s.show(view(rows, { searching: true }));
    await s.rowsAre(40);
    await focusIs(s, '000', 0);
    await ourWindowIsUp(s.kodi);
    // Rows come while keys are being pressed: the first key has been heard of by then.
    await press(s, 'Down', 5);
    await focusIs(s, '050', 5);
    const pressed = (async () => {
      for (let n = 0; n < 25; n++) {
        await press(s, 'Down');
        // As fast as a person holds the key down.
        await s.kodi.infoLabel('System.Time');
      }
    })();
    // All that comes in lies below the focus, so that the rows passed by keys can be counted.
    for (let step = 0; step < 15; step++) {
      rows = [...rows, row(number(900 + step))];
      await s.show(view(rows, { searching: true }));
    }
    await pressed;
    await s.rowsAre(55);
    await focusIs(s, '300', 7);
  });

  test('shows everything or what passed, by the context menu and by the button, and stays on its row', async () => {
    const s = await pickerStage(root!);
    const passed = tens(10);
    const rejected = Array.from({ length: 5 }, (_, n) => row(`r${n}`, { rejections: ['too large'] }));
    await s.show(view([...passed, ...rejected]));
    await s.rowsAre(10);
    await press(s, 'Down', 9);
    await focusIs(s, '090', 7);
    await press(s, 'ContextMenu');
    await s.rowsAre(15);
    await focusIs(s, '090', 7);
    expect(await s.kodi.infoLabel('Window.Property(toggle)')).toBe('Only what passes');
    await press(s, 'Down', 2);
    await focusIs(s, 'r1', 7);
    // By the button now. What had the focus is gone, so the list starts anew.
    await press(s, 'Right');
    await s.kodi.until(
      'the button has the focus',
      async () => (await s.kodi.infoLabel('System.CurrentControlID')) === '70' || undefined,
    );
    await press(s, 'Select');
    await s.rowsAre(10);
    await focusIs(s, '000', 0);
    await press(s, 'Select');
    await s.rowsAre(15);
    await press(s, 'Left');
    await press(s, 'Up');
    await focusIs(s, 'r4', 7);
    await press(s, 'Select');
    expect(await s.outcome()).toEqual({ chosen: 'r4' });
  });

  test('is used by a mouse: wheel, hover, the button, the scrollbar, a click, a right click', async () => {
    const s = await pickerStage(root!);
    const passed = tens(20);
    const rejected = row('r', { rejections: ['too large'] });
    await s.show(view([...passed, rejected]));
    await focusIs(s, '000', 0);
    const at = (place: number): readonly [number, number] => [
      400,
      Math.round((196 + place * 100 + 50) / 1.5),
    ];
    await mouse(root!, s.kodi, at(3));
    await focusIs(s, '030', 3);
    await mouse(root!, s.kodi, at(3), 'wheelDown');
    await focusIs(s, '040', 3);
    await mouse(root!, s.kodi, [1090, 628], 'left');
    await s.rowsAre(21);
    await mouse(root!, s.kodi, at(3), 'right');
    await s.rowsAre(20);
    // The lower end of the scrollbar.
    await mouse(root!, s.kodi, [926, 640], 'left');
    await mouse(root!, s.kodi, at(7));
    await focusIs(s, '190', 7);
    await mouse(root!, s.kodi, at(6), 'left');
    expect(await s.outcome()).toEqual({ chosen: '180' });
  });

  test('opens empty while the search goes on, and gets the focus with its first rows', async () => {
    const s = await pickerStage(root!);
    await s.show(view([], { searching: true }));
    await s.show(view([row('a', { rejections: ['too large'] })], { searching: true }));
    await focusIs(s, 'a', 0);
    await s.show(view([row('b'), row('a', { rejections: ['too large'] })], { searching: true }));
    await focusIs(s, 'b', 0);
    await press(s, 'Select');
    expect(await s.outcome()).toEqual({ chosen: 'b' });
  });

  test('Back cancels, and closing it or an abort takes it away', async () => {
    const s = await pickerStage(root!);
    await s.show(view(tens(3)));
    await focusIs(s, '000', 0);
    await press(s, 'Back');
    expect(await s.outcome()).toEqual({ chosen: null });
    for (const order of [{ close: true }, { abort: true }] as const) {
      const other = await pickerStage(root!);
      await other.show(view(tens(3)));
      await focusIs(other, '000', 0);
      other.order(order);
      expect(await other.outcome()).toEqual('close' in order ? { chosen: null } : { aborted: true });
      await other.kodi.until(
        'the window is gone',
        async () => (await other.kodi.infoLabel('Container(50).NumItems')) === '' || undefined,
      );
    }
  });

  test('Kodi quits in under 5 s with the list open and changing', async () => {
    const s = await pickerStage(root!);
    await s.show(view(tens(3), { searching: true }));
    await focusIs(s, '000', 0);
    s.order({ view: view(tens(500)) });
    await quitsClean(s.kodi);
  });

  test('Kodi survives other plays that are opened while the list changes', async () => {
    const s = await pickerStage(root!);
    let rows = tens(40);
    await s.show(view(rows, { searching: true }));
    await focusIs(s, '000', 0);
    await ourWindowIsUp(s.kodi);
    for (let step = 1; step <= 9; step++) {
      const opened = s.kodi.rpc('Player.Open', {
        item: { file: `plugin://${ADDON_ID}/play?second=${step}` },
      });
      for (let change = 0; change < 5; change++) {
        rows = [row(`a${step}${change}`), ...rows];
        await s.show(view(rows, { searching: true }));
      }
      await opened;
      // Kodi dies of a third one while it waits for the second one's answer, whatever anybody does.
      await ourWindowIsUp(s.kodi);
    }
    await focusIs(s, '000', 0);
    await press(s, 'Select');
    expect(await s.outcome()).toEqual({ chosen: '000' });
  });

  test('without its window the plain select dialog stands in', async () => {
    const s = await pickerStage(root!, { without: PICKER_XML });
    const rejected = row('r', { rejections: ['too large'] });
    await s.show(view([row('a'), row('b', { size: '7.4 GB' }), rejected]));
    await s.kodi.until(
      'the dialog is up',
      async () => (await s.kodi.infoLabel('Container(6).NumItems')) === '2' || undefined,
    );
    await press(s, 'Down');
    await s.kodi.until(
      'the second row has the focus',
      async () => (await s.kodi.infoLabel('Container(6).ListItem.Label')) === nameOf('b') || undefined,
    );
    expect(await s.kodi.infoLabel('Container(6).ListItem.Label2')).toContain('7.4 GB');
    await press(s, 'Select');
    expect(await s.outcome()).toEqual({ chosen: 'b' });
  });

  test('asks for a line of text', async () => {
    const condition = 'Window.IsActive(virtualkeyboard)';
    const keyboardIs = async ({ kodi }: PickerStage, up: boolean) => {
      await kodi.until(`the keyboard is ${up ? 'up' : 'gone'}`, async () => {
        const answer = await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [condition] });
        return (answer as Record<string, boolean>)[condition] === up || undefined;
      });
    };
    const s = await pickerStage(root!);
    s.order({ ask: 'A title' });
    await keyboardIs(s, true);
    await s.kodi.rpc('Input.SendText', { text: 'Sintel 2010', done: true });
    expect(await s.outcome()).toEqual({ chosen: 'Sintel 2010' });
    const other = await pickerStage(root!);
    other.order({ ask: 'A title' });
    await keyboardIs(other, true);
    other.order({ abort: true });
    expect(await other.outcome()).toEqual({ aborted: true });
    await keyboardIs(other, false);
  });
});
