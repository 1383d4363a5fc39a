import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Root } from '../../../tools/debian-root/index.ts';
import { phoneStage, type StageOptions } from '../../setup/phone/stage.ts';
import { type Browser, openBrowser, type Screen } from './browser.ts';
import { button } from './by-words.ts';
import { personAt } from './person.ts';

/** A phone, and a computer: the page is looked at on both. */
export const SCREENS: readonly Screen[] = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
];

/** A Chromium for the tests of a suite, and a person in front of it. What the page complains of fails a test. */
export function atPage(root: Root, screen: Screen) {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(root, screen);
  });
  afterEach(async () => {
    // Whatever the page still asks for as it goes finds its TV.
    await browser.page.open('about:blank');
    expect(browser.page.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
  });
  const page = () => browser.page;
  return {
    get page() {
      return page();
    },
    get person() {
      return personAt(page());
    },
    /** Starts a set-up, and opens its page by the code. */
    opened: async (options: StageOptions = {}) => {
      const stage = await phoneStage(options);
      await page().open(`http://${stage.authority}/#${stage.code}`);
      await page().until(button('Done'));
      return stage;
    },
    bar: () => page().evaluate<string>(`document.querySelector('.bar').innerText`),
    /** Keeps what is seen, for people to look at, where SLIPSTREAM_SHOTS names a folder: in light, and in dark. */
    keep: async (name: string, whole = false) => {
      const folder = process.env['SLIPSTREAM_SHOTS'];
      if (folder === undefined) return;
      mkdirSync(folder, { recursive: true });
      for (const look of ['', '-dark']) {
        await page().dark(look !== '');
        writeFileSync(join(folder, `${name}-${screen.width}${look}.png`), await page().screenshot(whole));
      }
      await page().dark(false);
    },
  };
}
