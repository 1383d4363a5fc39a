import { describe, expect, it } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { atPage, SCREENS } from './browser/at-page.ts';
import type { Screen } from './browser/browser.ts';
import { button, card } from './browser/by-words.ts';
import { holdTime } from './browser/held-time.ts';

const root = await rootOrSkip('the bar of the set-up in a browser');

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** What is left of the phone above its keyboard, and a phone on its side. */
const LOW: readonly Screen[] = [
  { width: 390, height: 450 },
  { width: 844, height: 390 },
];

interface Sizes {
  readonly window: number;
  readonly bar: number;
  /** Whether each button of the bar's own lies within the window. */
  readonly areButtonsSeen: boolean;
  /** The least height of what can be pressed in it. */
  readonly least: number;
}

const SIZES = `(() => {
  const bar = document.querySelector('.bar');
  const heights = [...bar.querySelectorAll('button, input')].map((each) => each.getBoundingClientRect());
  const own = [...bar.lastChild.querySelectorAll('button')].map((each) => each.getBoundingClientRect());
  return {
    window: innerHeight,
    bar: bar.getBoundingClientRect().height,
    areButtonsSeen: own.length === 2 && own.every(({ top, bottom }) => top >= 0 && bottom <= innerHeight),
    least: Math.min(...heights.map(({ height }) => height)),
  };
})()`;

/** How far what has the focus reaches out of what scrolls in the bar, in pixels; a part of one is rounding. */
const BEYOND = `(() => {
  const box = document.querySelector('.bar .told').getBoundingClientRect();
  const { top, bottom } = document.activeElement.getBoundingClientRect();
  return Math.round(Math.max(0, box.top - top, bottom - box.bottom));
})()`;

describe.skipIf(!root).each(SCREENS)('the bar of the set-up, in Chromium at $width × $height', (screen) => {
  const at = atPage(root!, screen);

  it('leaves the page in view, and its buttons in reach, however much does not work', async () => {
    const { page, person } = at;
    const time = await holdTime(page);
    await at.opened();
    for (const [title, address, key] of [
      ['Indexer', 'Indexer address', 'Indexer API key'],
      ['NZBHydra2', 'NZBHydra2 address', 'NZBHydra2 API key'],
      ['Prowlarr', 'Prowlarr address', 'Prowlarr API key'],
      ['nzbdav', 'nzbdav address', 'nzbdav API key'],
      ['Add one', 'Address', 'Key'],
    ] as const) {
      await person.fill(title, address, NOWHERE);
      await person.fill(title, key, 'a-key');
    }
    await person.click(button('Save and finish'));
    await page.until(button('Finish all the same'));
    await time.pass(9 * 60_000);
    expect(await at.bar()).toContain('closes this page soon');
    expect((await at.bar()).match(/does not work/g)).toHaveLength(5);
    for (const size of [screen, ...(screen.width < 500 ? LOW : [])]) {
      await page.resize(size);
      const { window, bar, areButtonsSeen, least } = await page.evaluate<Sizes>(SIZES);
      expect([window, areButtonsSeen]).toEqual([size.height, true]);
      expect(bar, `at ${size.width} × ${size.height}`).toBeLessThanOrEqual(0.4 * size.height);
      expect(least).toBeGreaterThanOrEqual(44);
      await at.keep(`bar-${size.height}`);
    }
    // Also the last of what is told can be read and pressed.
    await page.evaluate(`document.querySelector('.bar .line:last-child button').focus()`);
    expect(await page.evaluate(BEYOND)).toBe(0);
    await page.press('Enter');
    expect(await person.focused()).toBe('Address');
    await page.resize(screen);
  });

  it('tells once that the set-up has ended, whatever is typed then', async () => {
    const { page, person } = at;
    const time = await holdTime(page);
    await at.opened();
    await time.pass(10 * 60_000);
    await page.until(button('Go on'));
    await at.keep('ended');
    await page.evaluate(
      `(() => { window.told = []; const region = document.querySelector('.bar [role=alert]'); new MutationObserver(() => told.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true }); })()`,
    );
    await person.fill('Add one', 'Name', 'E');
    for (const letter of 'xample') await page.type(letter);
    expect(await page.evaluate('told')).toEqual([
      'The time is up. What you entered is still here, and is not saved yet.',
    ]);
  });

  it('counts what is entered and saved', async () => {
    const { page, person } = at;
    const stage = await at.opened();
    await person.fill('Indexer', 'Indexer name', 'Example');
    await person.fill('Prowlarr', 'Prowlarr address', NOWHERE);
    await page.until(button('Save 2 changes'));
    await person.click(button('Save 2 changes'));
    await page.until(`document.querySelector('.bar').innerText.includes('Saved on the TV')`);
    expect(stage.host.settings).toEqual({ indexer_name: 'Example', prowlarr_url: NOWHERE });
    // There is nothing to save, and a press saves nothing.
    await person.click(button('Save'));
    expect(await at.bar()).toContain('Saved on the TV');
    expect(await page.evaluate(`${card('Prowlarr')}.querySelector('.badge').innerText`)).toBe('Incomplete');
  });
});
