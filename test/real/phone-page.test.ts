import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAioStreams } from '../../sandbox/direct-stream/aiostreams/index.ts';
import { CANARY, type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { MAX_CONNECTIONS, SCAN_DURATION_TEXT } from '../../src/setup/discovery/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { phoneStage } from '../setup/phone/stage.ts';
import { serve } from '../support/http-server.ts';
import { prowlarrGiving } from '../support/prowlarr-start.ts';
import { atPage, SCREENS } from './browser/at-page.ts';
import type { BrowserPage } from './browser/browser.ts';
import { button, card, field } from './browser/by-words.ts';

/** The size of a small phone. */
const SMALL = { width: 360, height: 740 };

const root = await rootOrSkip('the page of the set-up in a browser');

describe.skipIf(!root).each([SMALL, ...SCREENS])(
  'the page of the set-up, in Chromium at $width × $height',
  (screen) => {
    const at = atPage(root!, screen);
    const { keep } = at;
    let sandbox: Sandbox;
    let page: BrowserPage;
    beforeAll(async () => {
      sandbox = await startSandbox();
      ({ page } = at);
    });
    afterAll(async () => {
      await sandbox.close();
    });

    const click = (element: string) => at.person.click(element);
    const fill = (title: string, label: string, text: string) => at.person.fill(title, label, text);
    const open = (title: string) => at.person.open(title);
    const checks = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('.checks li')].map((row) => row.className + ': ' + row.innerText)`,
      );
    const test = async (title: string) => {
      await click(button('Test', card(title)));
      await page.until(`${card(title)}.querySelector('.checks, .note.bad')`);
    };

    it('goes from the scanned code over a failed test to saved settings', async () => {
      const { apiUrl, apiKey, password } = sandbox.backend;
      const stage = await phoneStage();
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(button('Done'));
      expect(await page.evaluate('location.href')).toBe(`http://${stage.authority}/`);
      await keep('top');

      await open('nzbdav');
      await fill('nzbdav', 'nzbdav address', 'http://127.0.0.1:9');
      await fill('nzbdav', 'nzbdav API key', apiKey);
      await fill('nzbdav', 'WebDAV password', password);
      await test('nzbdav');
      expect(await checks()).toEqual([
        expect.stringMatching(/^failed: .*\n+Look at “nzbdav address”/) as string,
      ]);
      expect(
        await page.evaluate(`${card('nzbdav')}.innerText.split('Nothing runs at 127.0.0.1:9').length`),
      ).toBe(2);
      expect(await page.evaluate(`document.activeElement === ${field('nzbdav', 'nzbdav address')}`)).toBe(
        true,
      );
      expect(await page.evaluate(`${field('nzbdav', 'nzbdav address')}.getAttribute('aria-invalid')`)).toBe(
        'true',
      );
      await keep('phone');

      await fill('nzbdav', 'nzbdav address', apiUrl);
      expect(await checks()).toEqual([]);
      await test('nzbdav');
      for (const check of await checks()) expect(check).not.toMatch(/^failed/);
      await page.evaluate(`${card('nzbdav')}.querySelector('.checks').scrollIntoView({ block: 'center' })`);
      await keep('works');
      expect(stage.host.settings).toEqual({});

      await click(`[...document.querySelectorAll('.bar button')][0]`);
      await page.until(`document.querySelector('.bar').innerText.includes('Saved on the TV')`);
      expect(stage.host.settings).toEqual({
        webdav_api_url: apiUrl,
        webdav_api_key: apiKey,
        webdav_password: password,
      });
      expect(await page.evaluate(`document.documentElement.outerHTML`)).not.toContain(CANARY.apiKey);

      await click(button('Done'));
      await page.until(`document.querySelector('.mark')`);
      await keep('done');
      await stage.over;
    });

    it('asks for the code when the address was typed, and for another when it is wrong', async () => {
      const stage = await phoneStage();
      await page.open(`http://${stage.authority}/`);
      await page.until(button('Connect'));
      await page.type('000 0000');
      await page.press('Enter');
      await page.until(`document.querySelector('.note.bad')`);
      await keep('wrong-code');
      await page.evaluate(`document.querySelector('input').select()`);
      await page.type(stage.code);
      await page.press('Enter');
      await page.until(button('Done'));
      // What the browser says of the answer 401.
      expect(page.complaints.splice(0)).toHaveLength(1);
    });

    it('offers what it finds on the network', async () => {
      const port = Number(new URL(sandbox.backend.apiUrl).port);
      const stage = await phoneStage({ phone: { scanTargets: { hosts: ['127.0.0.1'], ports: [port] } } });
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(button('Look for services on my network'));
      await click(button('Look for services on my network'));
      await page.until(button('Use'));
      await keep('found');
      await click(button('Use'));
      expect(await page.evaluate(`${card('nzbdav')}.open`)).toBe(true);
      expect(await page.evaluate(`${field('nzbdav', 'nzbdav address')}.value`)).toBe(
        `http://127.0.0.1:${port}`,
      );
    });

    it('can stop looking, and keeps what was found by then, also what waited for another port', async () => {
      // Each question to it but the first takes as long as a question may.
      const slow = await serve(({ url }, response) => {
        if (url === '/') response.writeHead(404).end();
      });
      const nzbdav = new URL(sandbox.backend.apiUrl).origin;
      const hydra = await serve((_request, response) => response.end('<title>NZBHydra2</title>'));
      // All but one of those that look wait for the slow one. That one finds nzbdav's front end, and only then NZBHydra2.
      const ports = [...Array<string>(MAX_CONNECTIONS - 1).fill(slow), nzbdav, hydra];
      const stage = await phoneStage({
        phone: {
          scanTargets: { hosts: ['127.0.0.1'], ports: ports.map((url) => Number(new URL(url).port)) },
        },
      });
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(button('Look for services on my network'));
      expect(await page.evaluate('document.body.innerText')).toContain(
        `Takes ${SCAN_DURATION_TEXT}, and can be stopped.`,
      );
      await click(button('Look for services on my network'));
      await page.until(button('Use'));
      await click(button('Stop looking'));
      await page.until(`document.body.innerText.includes('Stopped. Found 2 services.')`);
      const found = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.found p')].map((each) => each.innerText)`,
      );
      expect(found).toEqual([hydra, nzbdav]);
      expect(await page.evaluate(`${button('Stop looking')} === undefined`)).toBe(true);
      await keep('stopped');
    });

    it('leads to the page of AIOStreams, where the address is', async () => {
      const { url, close } = await startAioStreams();
      onTestFinished(close);
      const near = { hosts: ['127.0.0.1'], ports: [Number(new URL(url).port)] };
      const stage = await phoneStage({ phone: { scanTargets: near } });
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(button('Look for services on my network'));
      await click(button('Look for services on my network'));
      await page.until(button('Use'));
      expect(await page.evaluate(`document.querySelector('.found a').href`)).toBe(`${url}/stremio/configure`);
      await click(button('Use'));
      expect(await page.evaluate(`${card('Stremio add-on')}.open`)).toBe(true);
      expect(await page.evaluate(`${field('Stremio add-on', 'Stremio add-on')}.value`)).toBe('');
    });

    it('keeps the address of AIOStreams that was entered, where no more than its page is known', async () => {
      const { url, addon, close } = await startAioStreams();
      onTestFinished(close);
      const near = { hosts: ['127.0.0.1'], ports: [Number(new URL(url).port)] };
      await at.opened({ phone: { scanTargets: near } });
      await fill('Stremio add-on', 'Stremio add-on', `${addon}/manifest.json`);
      await click(button('Look for services on my network'));
      await page.until(button('Use'));
      await click(button('Use'));
      expect(await at.person.value('Stremio add-on', 'Stremio add-on')).toBe(`${addon}/manifest.json`);
      expect(await at.bar()).toContain('Save one change');
    });

    it('offers the key that Prowlarr gives without a login', async () => {
      const key = 'given-0123456789abcdef';
      const url = await serve(prowlarrGiving(key));
      const stage = await phoneStage();
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(button('Done'));
      await open('Prowlarr');
      await fill('Prowlarr', 'Prowlarr address', url);
      await page.press('Tab');
      await page.until(button('Use it'));
      await keep('given-key');
      await click(button('Use it'));
      await page.until(`${card('Prowlarr')}.querySelector('.note.good')`);
      expect(stage.host.settings).toEqual({ prowlarr_url: url, prowlarr_api_key: key });
      expect(await page.evaluate(`document.documentElement.outerHTML`)).not.toContain(key);
    });

    it('has a name for everything that can be operated, fits the screen, and shows only what applies', async () => {
      const stage = await phoneStage();
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(button('Done'));
      await page.evaluate(`document.querySelectorAll('details').forEach((box) => { box.open = true; })`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(screen.width);
      const controls = `[...document.querySelectorAll('input, select, button')].filter((each) => each.offsetParent !== null)`;
      const nameless = await page.evaluate<string[]>(
        `${controls}.filter((each) => !(each.labels?.length || each.ariaLabel || each.innerText.trim())).map((each) => each.outerHTML)`,
      );
      expect(nameless).toEqual([]);
      const small = await page.evaluate<string[]>(
        `${controls}.filter((each) => each.getBoundingClientRect().height < (each.type === 'checkbox' ? 44 : 48)).map((each) => each.outerHTML)`,
      );
      expect(small).toEqual([]);
      await page.evaluate(`${card('Quality')}.scrollIntoView()`);
      await keep('settings');
      await keep('whole', true);
    });

    it('says what keeps the TV from telling its settings, and asks for no code that has been used', async () => {
      const stage = await phoneStage();
      const read = stage.host.readSettings;
      const failure = { what: 'Kodi did not answer.', next: 'Restart Kodi.' };
      stage.host.readSettings = () => Promise.reject(new SlipstreamError('HOST_FAILED', failure));
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(`document.querySelector('.door')`);
      expect(await page.evaluate(`document.querySelector('.door').innerText`)).toBe(
        `${failure.what}\n\n${failure.next}`,
      );
      // What the browser says of the answer 502.
      expect(page.complaints.splice(0)).toHaveLength(1);
      stage.host.readSettings = read;
      await page.open(`http://${stage.authority}/`);
      await page.until(button('Done'));
    });

    it('says so when the set-up on the TV has ended', async () => {
      const stage = await phoneStage();
      await page.open(`http://${stage.authority}/#${stage.code}`);
      await page.until(button('Done'));
      stage.abort();
      await stage.over.catch(() => undefined);
      await click(button('Done'));
      await page.until(button('Go on'));
      expect(await page.evaluate(`document.querySelector('.bar').innerText`)).toContain(
        'does not answer any more',
      );
      // What the browser says of the connections that were refused: the request's, and that of the look for the TV.
      expect(page.complaints.splice(0)).toHaveLength(2);
    });
  },
);
