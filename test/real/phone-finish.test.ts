import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANARY, type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { deferred } from '../../src/io/deferred.ts';
import { readSourceList } from '../../src/settings/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { phoneStage, type Stage } from '../setup/phone/stage.ts';
import { serve } from '../support/http-server.ts';
import { memoryLog } from '../support/log.ts';
import { prowlarrGiving } from '../support/prowlarr-start.ts';
import { atPage, SCREENS } from './browser/at-page.ts';
import type { BrowserPage } from './browser/browser.ts';
import { button, card, field } from './browser/by-words.ts';
import { holdTime } from './browser/held-time.ts';
import type { personAt } from './browser/person.ts';

const root = await rootOrSkip('the end of the set-up in a browser');

describe.skipIf(!root).each(SCREENS)('the end of the set-up, in Chromium at $width × $height', (screen) => {
  const at = atPage(root!, screen);
  const { opened, bar } = at;
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

  const click = (element: string) => person.click(element);
  const fill = (title: string, label: string, text: string) => person.fill(title, label, text);
  const listed = async ({ host }: Stage) => (await readSourceList(host.dataFolder, memoryLog())).entries;

  it('saves an entry of the list that was filled in and not added', async () => {
    const stage = await opened();
    await fill('Add one', 'Address', sandbox.indexer.url);
    await fill('Add one', 'Key', CANARY.indexerKey);
    expect(await bar()).toContain('Save one change');
    await click(button('Save and finish'));
    await page.until(`document.querySelector('.mark')`);
    await stage.over;
    const { host: name } = new URL(sandbox.indexer.url);
    expect(await listed(stage)).toMatchObject([{ name, apiKey: CANARY.indexerKey, enabled: true }]);
  });

  it('keeps what was entered when it is refused, says at its field why, and is not over', async () => {
    const stage = await opened();
    await fill('Add one', 'Key', 'a key without its address');
    await click(button('Save and finish'));
    await page.until(`${field('Add one', 'Address')}.getAttribute('aria-invalid')`);
    expect(await page.evaluate(`document.activeElement === ${field('Add one', 'Address')}`)).toBe(true);
    expect(await page.evaluate(`${field('Add one', 'Key')}.value`)).toBe('a key without its address');
    expect(await bar()).toContain('one field is marked');
    expect(await page.evaluate(`document.body.innerText.split('There is no address.').length`)).toBe(2);
    // What the browser says of the answer 400.
    expect(page.complaints.splice(0)).toHaveLength(1);
    expect(await listed(stage)).toEqual([]);
  });

  it('keeps each of several entries when another is saved or removed', async () => {
    const stage = await opened();
    for (const name of ['One', 'Two']) {
      await fill('Add one', 'Name', name);
      await fill('Add one', 'Address', `http://${name}.example`);
      await click(button('Add', card('Add one')));
      await page.until(card(name));
    }
    await fill('Two', 'Name', 'Second');
    await fill('Add one', 'Name', 'Third');
    await fill('Add one', 'Address', 'http://three.example');
    await click(button('Remove', card('One')));
    await click(button('Remove it', card('One')));
    await page.until(`!${card('One')}`);
    expect(await bar()).toContain('Save 2 changes');
    await click(`[...document.querySelectorAll('.bar button')][0]`);
    await page.until(`document.querySelector('.bar').innerText.includes('Saved on the TV')`);
    expect((await listed(stage)).map(({ name }) => name)).toEqual(['Second', 'Third']);
  });

  it('comes after a test of what was entered, and with what is wrong only when it is wanted', async () => {
    const stage = await opened();
    await fill('nzbdav', 'nzbdav address', sandbox.backend.apiUrl);
    await fill('nzbdav', 'nzbdav API key', 'a-wrong-key');
    await fill('nzbdav', 'WebDAV password', sandbox.backend.password);
    await click(button('Save and finish'));
    await page.until(button('Finish all the same'));
    expect(await bar()).toContain('nzbdav does not work');
    expect(await page.evaluate(`${field('nzbdav', 'nzbdav API key')}.getAttribute('aria-invalid')`)).toBe(
      'true',
    );
    await fill('nzbdav', 'nzbdav API key', sandbox.backend.apiKey);
    await page.until(button('Save and finish'));
    await click(button('Save and finish'));
    await page.until(`document.querySelector('.mark')`);
    await stage.over;
    expect(stage.host.settings).toMatchObject({ webdav_api_key: sandbox.backend.apiKey });
  });

  it('is put off while a test that takes long can be stopped', async () => {
    const stage = await opened();
    const silent = await serve(() => undefined);
    await fill('Add one', 'Address', silent);
    await click(button('Save and finish'));
    await page.until(button('Stop'));
    await click(button('Stop'));
    await page.until(`!document.querySelector('.bar').innerText.includes('Testing')`);
    expect(await page.evaluate(`document.querySelector('.mark') === null`)).toBe(true);
    expect(await listed(stage)).toHaveLength(1);
    // The next press tests again.
    await click(button('Done'));
    await page.until(button('Stop'));
    await click(button('Stop'));
    await page.until(`!document.querySelector('.bar').innerText.includes('Testing')`);
  });

  it('keeps what was entered when the time is up, and goes on with a new code', async () => {
    const first = await opened({ phone: { lifetime: { idle: 8_000 } } });
    await fill('Add one', 'Address', sandbox.indexer.url);
    await fill('Add one', 'Key', CANARY.indexerKey);
    await page.until(button('Go on'));
    expect(await bar()).toContain('The time is up. What you entered is still here');
    expect(await page.evaluate(`${field('Add one', 'Key')}.value`)).toBe(CANARY.indexerKey);
    const { person } = first.host;
    await expect.poll(async () => (await person.asked()).kind).toBe('page');
    expect((await person.goOn()).text).toContain('is up');
    await first.over;

    const { dataFolder } = first.host;
    const second = await phoneStage({ dataFolder });
    expect(second.authority).toBe(first.authority);
    await page.evaluate(`document.querySelector('.bar input').focus()`);
    await page.type(second.code);
    await page.press('Enter');
    await page.until(button('Save and finish'));
    await click(button('Save and finish'));
    await page.until(`document.querySelector('.mark')`);
    await second.over;
    expect(await listed(second)).toMatchObject([{ apiKey: CANARY.indexerKey }]);
  });

  it('warns two minutes before, not earlier, and is put off by whatever is pressed', async () => {
    const time = await holdTime(page);
    await opened();
    await time.pass(8 * 60_000 - 1_000);
    expect(await bar()).not.toContain('soon');
    await time.pass(1_000);
    expect(await bar()).toContain('The TV closes this page soon. Press or enter anything to keep it open.');
    await click(field('Add one', 'Address'));
    // The answer of the TV is shown with the next second.
    const next = async () => {
      await time.pass(1_000);
      return await bar();
    };
    await expect.poll(next).not.toContain('soon');
    expect(await page.evaluate(`document.getElementById('time').textContent`)).toBe('10 min left');
  });

  it('says when no press puts it off any more', async () => {
    await opened({ phone: { lifetime: { max: 110_000 } } });
    await page.until(`document.querySelector('.bar').innerText.includes('an hour is over')`);
  });

  it('comes after 20 seconds at the most, however many do not answer', async () => {
    const time = await holdTime(page);
    const stage = await opened();
    const asked = new Set<string>();
    const silent = (name: string) => serve(() => asked.add(name));
    // The key first: where there is one, the page does not look for another one.
    await fill('Prowlarr', 'Prowlarr API key', 'a-key');
    await fill('Prowlarr', 'Prowlarr address', await silent('Prowlarr'));
    await fill('Add one', 'Name', 'Silent');
    await fill('Add one', 'Address', await silent('Silent'));
    await click(button('Save and finish'));
    await expect.poll(() => [...asked].sort()).toEqual(['Prowlarr', 'Silent']);
    await time.pass(19_999);
    expect(await bar()).toContain('Testing Prowlarr, Silent');
    await time.pass(1);
    await page.until(button('Finish all the same'));
    const why = 'does not work. Its test takes longer than 20 seconds.';
    expect(await bar()).toContain(`Prowlarr ${why}`);
    expect(await bar()).toContain(`Silent ${why}`);
    await at.keep('twenty-seconds');
    await click(button('Finish all the same'));
    await page.until(`document.querySelector('.mark')`);
    await stage.over;
  });

  it('tests a key that was taken after it had told what does not work', async () => {
    const stage = await opened();
    // It has nothing but a key.
    const prowlarr = await serve(prowlarrGiving('given-0123456789abcdef'));
    await fill('Prowlarr', 'Prowlarr address', prowlarr);
    await page.press('Tab');
    await page.until(button('Use it'));
    await click(button('Save and finish'));
    await page.until(button('Finish all the same'));
    expect(Object.keys(await person.marked('Prowlarr'))).toEqual(['Prowlarr API key']);
    await click(button('Use it'));
    await page.until(button('Done'));
    expect(await bar()).not.toContain('does not work');
    expect(stage.host.settings).toMatchObject({ prowlarr_api_key: 'given-0123456789abcdef' });
    await click(button('Done'));
    await page.until(button('Finish all the same'));
    expect(await bar()).toContain('Prowlarr does not work');
  });

  it('tests anew once an entry that does not work is removed', async () => {
    const stage = await opened();
    await fill('Add one', 'Name', 'Gone');
    await fill('Add one', 'Address', 'http://127.0.0.1:9');
    await click(button('Save and finish'));
    await page.until(button('Finish all the same'));
    await click(button('Remove', card('Gone')));
    await click(button('Remove it', card('Gone')));
    await page.until(button('Done'));
    expect(await bar()).not.toContain('does not work');
    await click(button('Done'));
    await page.until(`document.querySelector('.mark')`);
    await stage.over;
  });

  it('shows that it is at work for as long as it is, whatever is entered', async () => {
    await opened();
    await fill('Add one', 'Address', await serve(() => undefined));
    await click(button('Save and finish'));
    await page.until(button('Stop'));
    await fill('Indexer', 'Indexer name', 'Example');
    expect(await page.evaluate(`Boolean(${button('Save and finish')}.querySelector('.spinner'))`)).toBe(true);
    await click(button('Stop'));
    await page.until(`!document.querySelector('.bar .spinner')`);
  });

  it('saves and tests also what is entered during its test', async () => {
    const stage = await opened();
    const held = deferred<undefined>();
    const slow = await serve((_, response) => {
      held.promise.then(
        () => response.writeHead(404).end(),
        () => undefined,
      );
    });
    await fill('Add one', 'Address', slow);
    await click(button('Save and finish'));
    await page.until(button('Stop'));
    await fill('Indexer', 'Indexer name', 'Example');
    expect(await bar()).toContain('Testing');
    held.resolve(undefined);
    await page.until(button('Finish all the same'));
    expect(stage.host.settings).toMatchObject({ indexer_name: 'Example' });
  });

  it('asks before a reload takes what is not saved', async () => {
    await opened();
    page.dialogs.splice(0);
    await fill('Add one', 'Name', 'Example');
    await page.reload();
    expect(page.dialogs).toEqual(['beforeunload']);
  });

  it('finishes with what is wrong where that is wanted', async () => {
    const stage = await opened();
    await fill('Add one', 'Address', 'http://127.0.0.1:9');
    await click(button('Save and finish'));
    await page.until(button('Finish all the same'));
    await click(button('Finish all the same'));
    await page.until(`document.querySelector('.mark')`);
    await stage.over;
  });
});
