import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANARY, type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { readSourceList } from '../../src/settings/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { serve } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';
import { atPage, SCREENS } from './browser/at-page.ts';
import type { BrowserPage } from './browser/browser.ts';
import { button, card, field } from './browser/by-words.ts';
import { holdTime } from './browser/held-time.ts';
import type { personAt } from './browser/person.ts';

const root = await rootOrSkip('what the page of the set-up says and how it is operated');

describe.skipIf(!root).each(SCREENS)('the page of the set-up, in Chromium at $width × $height', (screen) => {
  const at = atPage(root!, screen);
  const { opened, bar, keep } = at;
  let sandbox: Sandbox;
  let page: BrowserPage;
  let person: ReturnType<typeof personAt>;
  beforeAll(async () => {
    sandbox = await startSandbox();
    ({ page, person } = at);
  });
  afterAll(async () => {
    await sandbox.close();
  });

  const badge = (title: string) =>
    page.evaluate<string>(`${card(title)}.querySelector('summary .badge').innerText`);
  const optional = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.optional')].map((each) => each.parentElement.firstChild.textContent)`,
    );

  describe('known indexers', () => {
    it('are chosen by name, the first as well as further ones', async () => {
      const stage = await opened();
      await person.open('Indexer');
      await person.choose('Indexer', 'Which indexer', 'NZBGeek');
      expect(await person.value('Indexer', 'Indexer address')).toBe('https://api.nzbgeek.info');
      expect(await person.value('Indexer', 'Indexer name')).toBe('NZBGeek');
      await keep('known');
      await person.choose('Indexer', 'Which indexer', 'Another one');
      expect(await person.value('Indexer', 'Indexer address')).toBe('');
      expect(await person.value('Indexer', 'Indexer name')).toBe('Indexer');

      await person.choose('Add one', 'Which indexer', 'DrunkenSlug');
      await person.fill('Add one', 'Key', 'a-key');
      await keep('known-further');
      await person.click(button('Add', card('Add one')));
      await page.until(card('DrunkenSlug'));
      const { entries } = await readSourceList(stage.host.dataFolder, memoryLog());
      expect(entries).toMatchObject([
        { name: 'DrunkenSlug', url: 'https://drunkenslug.com', apiKey: 'a-key' },
      ]);
      await person.choose('Add one', 'Kind', 'Prowlarr');
      expect(await page.evaluate(`${field('Add one', 'Which indexer')}.offsetParent === null`)).toBe(true);
    });
  });

  describe('by keyboard', () => {
    it('nothing that has the focus lies under the header or the bar', async () => {
      await opened();
      await page.evaluate(`document.querySelectorAll('details').forEach((box) => { box.open = true; })`);
      const covered = `(() => {
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        const isIn = document.querySelector('.bar').contains(document.activeElement);
        const isFree = top >= document.querySelector('.top').getBoundingClientRect().bottom
          && bottom <= document.querySelector('.bar').getBoundingClientRect().top;
        return { isIn, isFree, what: document.activeElement.outerHTML.slice(0, 120) };
      })()`;
      const wrong: string[] = [];
      for (let presses = 0; presses < 300; presses++) {
        await page.press('Tab');
        const { isIn, isFree, what } = await page.evaluate<{
          isIn: boolean;
          isFree: boolean;
          what: string;
        }>(covered);
        if (isIn) break;
        if (!isFree) wrong.push(what);
      }
      expect(wrong).toEqual([]);
      // There is nothing to save yet; the button is reached all the same.
      expect(await person.focused()).toBe('Save');
    });

    it('Remove asks, and the focus goes on where the entry was', async () => {
      const stage = await opened();
      for (const name of ['Sintel', 'Caminandes']) {
        await person.fill('Add one', 'Name', name);
        await person.fill('Add one', 'Address', `http://${name}.example`);
        await person.click(button('Add', card('Add one')));
        await page.until(card(name));
      }
      const listed = async () =>
        (await readSourceList(stage.host.dataFolder, memoryLog())).entries.map(({ name }) => name);
      await person.open('Sintel');
      await page.evaluate(`${button('Remove', card('Sintel'))}.focus()`);
      await page.press('Enter');
      expect(await person.focused()).toBe('Keep it');
      await keep('remove');
      await page.press('Enter');
      expect(await person.focused()).toBe('Remove Sintel');
      expect(await listed()).toEqual(['Sintel', 'Caminandes']);
      await page.press('Enter');
      await page.press('Tab');
      expect(await person.focused()).toBe('Remove it');
      await page.press('Enter');
      await page.until(`!${card('Sintel')}`);
      expect(await listed()).toEqual(['Caminandes']);
      expect(
        await page.evaluate(`document.activeElement === ${card('Caminandes')}.querySelector('summary')`),
      ).toBe(true);
      expect(await person.words(`document.querySelector('main')`)).toContain('Sintel is removed');
    });

    it('a key that is to be removed can be kept, and the focus stays', async () => {
      await opened({ settings: { indexer_api_key: 'a-key' } });
      await person.open('Indexer');
      await page.evaluate(`${button('Remove', card('Indexer'))}.focus()`);
      await page.press('Enter');
      expect(await person.focused()).toBe('Keep Indexer API key');
      await page.press('Enter');
      expect(await person.focused()).toBe('Remove Indexer API key');
      expect(await bar()).not.toContain('change');
    });

    it('a test can be stopped, and the focus is on Test again', async () => {
      const asked: string[] = [];
      const silent = await serve(({ url }) => asked.push(url ?? ''));
      await opened();
      await person.fill('Prowlarr', 'Prowlarr address', silent);
      await person.fill('Prowlarr', 'Prowlarr API key', 'a-key');
      await person.click(button('Test', card('Prowlarr')));
      await page.until(button('Stop the test', card('Prowlarr')));
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      await page.evaluate(`${button('Stop the test', card('Prowlarr'))}.focus()`);
      await keep('stop');
      await page.press('Enter');
      await page.until(`${card('Prowlarr')}.innerText.includes('The test was stopped')`);
      expect(await person.focused()).toBe('Test');
      expect(await page.evaluate(`${card('Prowlarr')}.querySelector('.spinner') === null`)).toBe(true);
    });
  });

  describe('for who hears the page', () => {
    it('an error is said once, with its field, which gets the focus', async () => {
      await opened();
      await person.fill('Indexer', 'Indexer address', sandbox.indexer.url);
      await person.fill('Indexer', 'Indexer API key', 'wrong');
      await person.test('Indexer');
      expect(await person.focused()).toBe('Indexer API key');
      const { 'Indexer API key': said } = await person.marked('Indexer');
      expect(said).toMatch(/API key/);
      expect((await person.words('document.body')).split(said!.slice(0, 30))).toHaveLength(2);
      await keep('wrong');
    });

    it('what has no field is an alert', async () => {
      await opened();
      await person.fill('Add one', 'Address', sandbox.indexer.url);
      await person.fill('Add one', 'Key', CANARY.indexerKey);
      await page.evaluate(`window.fetch = () => Promise.reject(new TypeError('no network'))`);
      await person.click(button('Test', card('Add one')));
      await page.until(`${card('Add one')}.querySelector('[role=alert]')`);
    });

    it('the time that is left is told a few times, and not each second', async () => {
      const time = await holdTime(page);
      await opened();
      await page.evaluate(
        `(() => { window.told = []; const region = document.querySelector('header [role=status]'); new MutationObserver(() => { if (region.textContent !== '') told.push(region.textContent); }).observe(region, { childList: true, characterData: true, subtree: true }); })()`,
      );
      for (let second = 0; second < 590; second++) await time.pass(1_000);
      await page.until(`document.getElementById('time').textContent === 'Last minute'`);
      expect(await page.evaluate('told')).toEqual([
        'The page closes in 5 minutes.',
        'The page closes in a minute.',
      ]);
      expect(await page.evaluate(`document.getElementById('time').getAttribute('role')`)).toBe('timer');
    });
  });

  describe('what is said of a service', () => {
    it('that nobody touched is nothing', async () => {
      await opened();
      for (const title of ['Indexer', 'Prowlarr', 'nzbdav', 'NZBGet', 'AltMount', 'TMDb'])
        expect([title, await badge(title)]).toEqual([title, '']);
      await person.fill('nzbdav', 'nzbdav address', 'http://127.0.0.1:9');
      expect(await badge('nzbdav')).toBe('Incomplete');
    });

    it('is optional only where it may be empty', async () => {
      await opened();
      expect(await optional()).toEqual([
        'WebDAV password',
        'WebDAV address',
        'The same folder in NZBGet',
        'AltMount WebDAV user',
        'AltMount WebDAV password',
        'Name',
      ]);
    });

    it('is what it was to begin with, once what there always is was emptied', async () => {
      const stage = await opened({ settings: { webdav_username: 'me' } });
      await person.fill('nzbdav', 'WebDAV user', '');
      await page.press('Tab');
      expect(await person.value('nzbdav', 'WebDAV user')).toBe('admin');
      await person.click(`[...document.querySelectorAll('.bar button')][0]`);
      await page.until(`document.querySelector('.bar').innerText.includes('Saved on the TV')`);
      expect(stage.host.settings).toMatchObject({ webdav_username: 'admin' });
    });

    it('is no fault of it any more once another one plays', async () => {
      await opened();
      await person.fill('nzbdav', 'nzbdav address', 'http://127.0.0.1:9');
      await person.test('nzbdav');
      expect(Object.keys(await person.marked('nzbdav'))).toEqual(['nzbdav address']);
      await person.open('NZBGet');
      await person.click(button('Play with NZBGet', card('NZBGet')));
      expect(await person.marked('nzbdav')).toEqual({});
      expect(await person.words(card('nzbdav'))).not.toContain('127.0.0.1:9 ');
      expect(await badge('nzbdav')).toBe('Not used');
    });

    it('is that something is missing, and not that it is wrong', async () => {
      await opened();
      await person.open('Prowlarr');
      await person.test('Prowlarr');
      expect(await person.marked('Prowlarr')).toEqual({
        'Prowlarr address': 'This is still empty. Enter it first.',
      });
      await person.fill('Indexer', 'Indexer address', sandbox.indexer.url);
      await person.test('Indexer');
      expect(await person.marked('Indexer')).toEqual({
        'Indexer API key': 'This is still empty, and it is asked for.',
      });
      await keep('missing');
    });

    it('has a button for the address that is known to be right', async () => {
      const stage = await opened();
      const { apiUrl, apiKey, password } = sandbox.backend;
      await person.fill('nzbdav', 'nzbdav address', apiUrl.replace('http:', 'https:'));
      await person.fill('nzbdav', 'nzbdav API key', apiKey);
      await person.fill('nzbdav', 'WebDAV password', password);
      await person.test('nzbdav');
      expect((await person.marked('nzbdav'))['nzbdav address']).toMatch(/does not speak HTTPS\.$/);
      await keep('address');
      await person.click(button(`Use ${apiUrl}`, card('nzbdav')));
      await page.until(`${card('nzbdav')}.querySelector('.checks li:nth-child(2)')`);
      expect(await person.value('nzbdav', 'nzbdav address')).toBe(apiUrl);
      expect(await person.marked('nzbdav')).toEqual({});
      expect(await person.focused()).toBe('Test');

      const { url } = sandbox.indexer;
      await person.fill('Add one', 'Address', url.replace('http:', 'https:'));
      await person.fill('Add one', 'Key', CANARY.indexerKey);
      await person.test('Add one');
      await person.click(button(`Use ${url}`, card('Add one')));
      await page.until(`${card('Add one')}.querySelector('.checks')`);
      expect(await person.marked('Add one')).toEqual({});
      await person.click(button('Add', card('Add one')));
      await page.until(card(new URL(url).host));
      const { entries } = await readSourceList(stage.host.dataFolder, memoryLog());
      expect(entries).toMatchObject([{ url }]);
    });

    it.each([
      ['Prowlarr', 'Prowlarr address'],
      ['Add one', 'Address'],
    ])('is where “localhost” is, and once: %s', async (title, label) => {
      await opened();
      const told = async () => (await person.words(card(title))).split('is the TV itself').length - 1;
      await person.fill(title, label, 'localhost:9');
      expect(await person.words(card(title))).toContain('“localhost” is the TV itself');
      await person.fill(title, title === 'Add one' ? 'Key' : 'Prowlarr API key', 'a-key');
      await person.test(title);
      expect(Object.keys(await person.marked(title))).toEqual([label]);
      expect(await told()).toBe(1);
      await keep('localhost');
      await person.fill(title, label, 'http://me:word@127.0.0.1/x');
      expect(await person.words(card(title))).toContain('“127.0.0.1” is the TV itself');
      await person.fill(title, label, 'nas.example:9696/localhost');
      expect(await told()).toBe(0);
    });
  });
});
