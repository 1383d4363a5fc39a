import { describe, expect, it } from 'vitest';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { phoneStage } from '../setup/phone/stage.ts';
import { serve } from '../support/http-server.ts';
import { prowlarrGiving } from '../support/prowlarr-start.ts';
import { atPage, SCREENS } from './browser/at-page.ts';
import { button, card } from './browser/by-words.ts';
import { holdTime } from './browser/held-time.ts';

const root = await rootOrSkip('the focus in the set-up in a browser');

const KEY = 'given-0123456789abcdef';

describe.skipIf(!root).each(SCREENS)('who goes by keys, in Chromium at $width × $height', (screen) => {
  const at = atPage(root!, screen);
  /** Goes to a button, and presses it by its key. */
  const press = async (element: string) => {
    await at.page.until(element);
    await at.page.evaluate(`${element}.focus()`);
    await at.page.press('Enter');
  };

  it('goes on at Done when the test at the end is stopped', async () => {
    await at.opened();
    await at.person.fill('Add one', 'Address', await serve(() => undefined));
    await press(button('Save and finish'));
    await press(button('Stop'));
    await at.page.until(`!document.querySelector('.bar').innerText.includes('Testing')`);
    expect(await at.person.focused()).toBe('Done');
  });

  it('goes on where something is to be mended when the test at the end is over', async () => {
    const { page, person } = at;
    const time = await holdTime(page);
    await at.opened();
    const silent = await serve(() => undefined);
    await person.fill('Add one', 'Address', silent);
    await press(button('Save and finish'));
    await page.until(button('Stop'));
    await page.evaluate(`${button('Stop')}.focus()`);
    await time.pass(20_000);
    await page.until(button('Finish all the same'));
    expect(
      await page.evaluate(
        `document.activeElement === ${card(new URL(silent).host)}.querySelector('summary')`,
      ),
    ).toBe(true);
  });

  it('stays at Save when all is saved', async () => {
    await at.opened();
    await at.person.fill('Indexer', 'Indexer name', 'Example');
    await press(button('Save one change'));
    await at.page.until(`document.querySelector('.bar').innerText.includes('Saved on the TV')`);
    // A browser takes the focus away with the next picture.
    await at.page.evaluate(
      `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`,
    );
    expect(await at.person.focused()).toBe('Save');
    expect(await at.page.evaluate('document.activeElement.ariaDisabled')).toBe('true');
  });

  it('goes on at the button that looks when the look is stopped, and when it is over', async () => {
    const silent = await serve(() => undefined);
    const port = Number(new URL(silent).port);
    const look = button('Look for services on my network');
    await at.opened({ phone: { scanTargets: { hosts: ['127.0.0.1'], ports: [port] } } });
    await press(look);
    await press(button('Stop looking'));
    await at.page.until(`document.body.innerText.includes('Stopped.')`);
    expect(await at.person.focused()).toBe('Look for services on my network');
    await at.page.press('Enter');
    await at.page.until(button('Stop looking'));
    await at.page.evaluate(`${button('Stop looking')}.focus()`);
    await at.page.until(`!${button('Stop looking')}`);
    expect(await at.person.focused()).toBe('Look for services on my network');
  });

  it('keeps a service that was found before under the focus while it is found again', async () => {
    const hydra = await serve((_request, response) => response.end('<title>NZBHydra2</title>'));
    const port = Number(new URL(hydra).port);
    await at.opened({ phone: { scanTargets: { hosts: ['127.0.0.1'], ports: [port] } } });
    const look = button('Look for services on my network');
    await press(look);
    await at.page.until(`${button('Use')} && !${button('Stop looking')}`);
    await at.page.evaluate(`${look}.click(); ${button('Use')}.focus()`);
    await at.page.until(
      `!${button('Stop looking')} && document.body.innerText.includes('Found one service.')`,
    );
    expect(await at.person.focused()).toBe(`Use NZBHydra2 at ${hydra}`);
  });

  it('goes on at Test when another service is to play', async () => {
    await at.opened();
    await at.person.open('NZBGet');
    await press(button('Play with NZBGet', card('NZBGet')));
    expect(await at.page.evaluate(`${card('NZBGet')}.contains(document.activeElement)`)).toBe(true);
    expect(await at.person.focused()).toBe('Test');
  });

  describe('of whom the key that Prowlarr gives', () => {
    const offered = async () => {
      await at.opened();
      await at.person.fill('Prowlarr', 'Prowlarr address', await serve(prowlarrGiving(KEY)));
      await at.page.press('Tab');
      await at.page.until(button('Use it'));
    };

    it('is taken, goes on at Test', async () => {
      await offered();
      await press(button('Use it'));
      await at.page.until(`${card('Prowlarr')}.querySelector('.note.good')`);
      expect(await at.person.focused()).toBe('Test');
      expect(await at.page.evaluate(`${card('Prowlarr')}.contains(document.activeElement)`)).toBe(true);
    });

    it('is left, or cannot be had any more, goes on at the field of the key', async () => {
      await offered();
      await press(button('No'));
      expect(await at.person.focused()).toBe('Prowlarr API key');

      await offered();
      await at.page.evaluate(
        `(() => { const fetched = window.fetch; window.fetch = (path, ...more) => path === '/api/key/take' ? Promise.reject(new TypeError('no network')) : fetched(path, ...more); })()`,
      );
      await press(button('Use it'));
      await at.page.until(`${card('Prowlarr')}.querySelector('.note.bad')`);
      expect(await at.person.focused()).toBe('Prowlarr API key');
    });
  });

  it('goes on at the code when the set-up ends under the hand, and at Done with the next one', async () => {
    const { page, person } = at;
    const time = await holdTime(page);
    const first = await at.opened();
    const { dataFolder } = first.host;
    await page.evaluate(`${button('Done')}.focus()`);
    await time.pass(10 * 60_000);
    await page.until(button('Go on'));
    expect(await person.focused()).toBe('Code');
    first.abort();
    await first.over.catch(() => undefined);
    const second = await phoneStage({ dataFolder });
    await page.type(second.code);
    await page.press('Enter');
    await page.until(button('Done'));
    expect(await person.focused()).toBe('Done');
  });
});
