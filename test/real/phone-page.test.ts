import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CANARY, type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { SlipstreamError } from '../../src/errors/index.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { phoneStage } from '../setup/phone/stage.ts';
import { serve } from '../support/http-server.ts';
import { prowlarrGiving } from '../support/prowlarr-start.ts';
import { type Browser, type BrowserPage, openBrowser } from './browser/browser.ts';

/** The size of a small phone. */
const PHONE = { width: 360, height: 740 };

const root = await rootOrSkip('the page of the set-up in a browser');

/** Finds by what a person reads: a card by its title, a field by its label, a button by its words. */
const card = (title: string) =>
  `[...document.querySelectorAll('details')].find((box) => box.querySelector('h3').textContent === ${JSON.stringify(title)})`;
const field = (title: string, label: string) =>
  `(() => { const label = [...${card(title)}.querySelectorAll('label')].find((each) => each.firstChild.textContent === ${JSON.stringify(label)}); return document.getElementById(label.htmlFor); })()`;
const button = (words: string, within = 'document') =>
  `[...${within}.querySelectorAll('button')].find((each) => each.textContent === ${JSON.stringify(words)} && each.offsetParent !== null)`;

describe.skipIf(!root)('the page of the set-up, in Chromium at 360 × 740', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let page: BrowserPage;
  beforeAll(async () => {
    sandbox = await startSandbox();
    browser = await openBrowser(root!, PHONE);
    ({ page } = browser);
  });
  afterEach(() => {
    expect(page.complaints.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });

  const click = (element: string) => page.evaluate(`${element}.click()`);
  const fill = async (title: string, label: string, text: string) => {
    await page.evaluate(`(() => { const input = ${field(title, label)}; input.focus(); input.select(); })()`);
    await page.type(text);
  };
  const open = (title: string) => page.evaluate(`${card(title)}.open = true`);
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
    await keep(page, 'top');

    await open('nzbdav');
    await fill('nzbdav', 'nzbdav address', 'http://127.0.0.1:9');
    await fill('nzbdav', 'nzbdav API key', apiKey);
    await fill('nzbdav', 'WebDAV password', password);
    await test('nzbdav');
    expect(await checks()).toEqual([expect.stringMatching(/^failed: Nothing runs at 127.0.0.1:9/) as string]);
    expect(await page.evaluate(`document.activeElement === ${field('nzbdav', 'nzbdav address')}`)).toBe(true);
    expect(await page.evaluate(`${field('nzbdav', 'nzbdav address')}.getAttribute('aria-invalid')`)).toBe(
      'true',
    );
    await keep(page, 'phone');

    await fill('nzbdav', 'nzbdav address', apiUrl);
    expect(await checks()).toEqual([]);
    await test('nzbdav');
    for (const check of await checks()) expect(check).not.toMatch(/^failed/);
    await page.evaluate(`${card('nzbdav')}.querySelector('.checks').scrollIntoView({ block: 'center' })`);
    await keep(page, 'works');
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
    await keep(page, 'done');
    await stage.over;
  });

  it('asks for the code when the address was typed, and for another when it is wrong', async () => {
    const stage = await phoneStage();
    await page.open(`http://${stage.authority}/`);
    await page.until(button('Connect'));
    await page.type('000 0000');
    await page.press('Enter');
    await page.until(`document.querySelector('.note.bad')`);
    await keep(page, 'wrong-code');
    await page.evaluate(`document.querySelector('input').select()`);
    await page.type(stage.code);
    await page.press('Enter');
    await page.until(button('Done'));
    // What the browser says of the answer 401.
    expect(page.complaints.splice(0)).toHaveLength(1);
  });

  it('offers what it finds on the network', async () => {
    const port = Number(new URL(sandbox.backend.apiUrl).port);
    const stage = await phoneStage({ phone: { near: { hosts: ['127.0.0.1'], ports: [port] } } });
    await page.open(`http://${stage.authority}/#${stage.code}`);
    await page.until(button('Look for services on my network'));
    await click(button('Look for services on my network'));
    await page.until(button('Use'));
    await keep(page, 'found');
    await click(button('Use'));
    expect(await page.evaluate(`${card('nzbdav')}.open`)).toBe(true);
    expect(await page.evaluate(`${field('nzbdav', 'nzbdav address')}.value`)).toBe(
      `http://127.0.0.1:${port}`,
    );
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
    await keep(page, 'given-key');
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
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    const controls = `[...document.querySelectorAll('input, select, button')].filter((each) => each.offsetParent !== null)`;
    const nameless = await page.evaluate<string[]>(
      `${controls}.filter((each) => !(each.labels?.length || each.ariaLabel || each.innerText.trim())).map((each) => each.outerHTML)`,
    );
    expect(nameless).toEqual([]);
    const small = await page.evaluate<string[]>(
      `${controls}.filter((each) => each.getBoundingClientRect().height < (each.type === 'checkbox' ? 32 : 48)).map((each) => each.outerHTML)`,
    );
    expect(small).toEqual([]);
    await page.evaluate(`${card('Quality')}.scrollIntoView()`);
    await keep(page, 'settings');
    await page.dark(true);
    await keep(page, 'settings-dark');
    await page.dark(false);
    await keep(page, 'whole', true);
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
    await page.until(`document.querySelector('.door')`);
    expect(await page.evaluate(`document.querySelector('.door').innerText`)).toContain('has ended');
    // What the browser says of the connections that were refused: the request's, and that of the look for the TV.
    expect(page.complaints.splice(0)).toHaveLength(2);
  });
});

/** Keeps what is seen, for people to look at, where SLIPSTREAM_SHOTS names a folder. */
async function keep(page: BrowserPage, name: string, whole = false): Promise<void> {
  const folder = process.env['SLIPSTREAM_SHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), await page.screenshot(whole));
}
