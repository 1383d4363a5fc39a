import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICES } from '../../src/connections/services/index.ts';
import { tmdbService } from '../../src/connections/services/tmdb.ts';
import { settingRow } from '../../src/setup/asking/stored-settings.ts';
import { rootOrSkip } from '../../tools/debian-root/index.ts';
import { serve } from '../support/http-server.ts';
import { atPage, SCREENS } from './browser/at-page.ts';
import type { BrowserPage } from './browser/browser.ts';
import { button, card } from './browser/by-words.ts';
import type { personAt } from './browser/person.ts';
import { CARDS, type CardTable, type Services, startServices, TMDB_KEY } from './browser/wrong-values.ts';

const root = await rootOrSkip('the mends of the set-up in a browser');

/** The fields that are in no card's table, and why. */
const EXCEPT: Readonly<Record<string, string>> = { 'Indexer name': 'no name is wrong' };

it('each field of each service, and of each kind of the list, is wrong in one of the tables', async () => {
  const services = await startServices();
  const tables = Object.values(CARDS).map((tableOf) => tableOf(services));
  await services.close();
  const triedIn = (of: (table: CardTable) => boolean) =>
    tables.filter(of).flatMap(({ wrong }) => wrong.map(({ field }) => field));
  const left = SERVICES.flatMap(({ name, role, fields }) => {
    const tried = triedIn(({ title }) => title === name);
    const labels = fields.map(({ setting }) => settingRow(setting).label);
    // The list begins with an indexer.
    const listed = triedIn(({ title, kind = 'Indexer' }) => title === 'Add one' && kind === name);
    const hasKey = fields.some(({ setting }) => setting.endsWith('_api_key'));
    if (role === 'search') expect(new Set(listed)).toEqual(new Set(['Address', ...(hasKey ? ['Key'] : [])]));
    return labels.filter((label) => !tried.includes(label));
  });
  expect(left.sort()).toEqual(Object.keys(EXCEPT).sort());
});

describe.skipIf(!root).each(SCREENS)(
  'a wrong value is mended at the page, in Chromium at $width × $height',
  (screen) => {
    const at = atPage(root!, screen);
    const { opened } = at;
    let services: Services;
    let page: BrowserPage;
    let person: ReturnType<typeof personAt>;
    beforeAll(async () => {
      services = await startServices();
      ({ page, person } = at);
    });
    afterAll(async () => {
      await services.close();
    });

    /** TMDb with that key alone. */
    const tmdb = () =>
      serve(({ url = '', headers }, response) => {
        const isRight = `${url} ${headers.authorization ?? ''}`.includes(TMDB_KEY);
        response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ success: isRight, status_code: isRight ? 1 : 7 }));
      });
    const enter = async ({ title, kind, right }: CardTable) => {
      if (kind !== undefined) await person.choose(title, 'Kind', kind);
      for (const [label, value] of Object.entries(right)) await person.fill(title, label, value);
    };
    const notes = (title: string) =>
      page.evaluate<string>(
        `[...${card(title)}.querySelectorAll('.checks .noted')].map((each) => each.innerText).join(' ')`,
      );
    /** Presses what mends an address: it stands in its field then, and has been tested. */
    const take = async (title: string, field: string, mend: string) => {
      await person.click(button(mend, card(title)));
      await page.until(`!${card(title)}.querySelector('.spinner')`);
      expect(`Use ${await person.value(title, field)}`).toBe(mend);
    };
    const works = async (title: string) => {
      await person.test(title);
      expect(await person.marked(title)).toEqual({});
      expect(
        await page.evaluate(`${card(title)}.querySelectorAll('.checks .failed, .checks .noted').length`),
      ).toBe(0);
    };

    it.each(Object.entries(CARDS))('%s', async (_name, tableOf) => {
      const others = SERVICES.filter(({ id }) => id !== 'tmdb');
      await opened({ phone: { services: [...others, tmdbService(await tmdb())] } });
      const table = tableOf(services);
      const { title, right, wrong } = table;
      const play = button(`Play with ${title}`, card(title));
      await person.open(title);
      if (await page.evaluate<boolean>(`Boolean(${play})`)) await person.click(play);
      await enter(table);
      for (const { field, value, marks = [field], says, button: mend } of wrong) {
        await person.fill(title, field, value);
        await person.test(title);
        const marked = await person.marked(title);
        // No other field is blamed, and none of them is left out.
        expect(Object.keys(marked).sort()).toEqual([...marks].sort());
        const [first, ...others] = marks;
        expect(first === undefined ? await notes(title) : marked[first]).toMatch(says);
        if (first !== undefined) expect(await person.focused()).toBe(first);
        for (const other of others) expect(marked[other]).toBe('Or this is wrong.');
        expect(await person.words(card(title))).not.toMatch(/of Slipstream|in the settings/);
        if (mend === undefined) await person.fill(title, field, right[field] ?? '');
        else await take(title, field, mend);
      }
      await works(title);
    });

    it('and what is right is saved, tested and played by, card after card', async () => {
      const stage = await opened();
      const { backend, prowlarr } = services;
      for (const name of ['Indexer', 'Prowlarr', 'nzbdav']) await enter(CARDS[name]!(services));
      await person.click(button('Save and finish'));
      await page.until(`document.querySelector('.mark')`);
      await stage.over;
      expect(stage.host.settings).toMatchObject({
        indexer_url: backend.indexer.url,
        prowlarr_url: prowlarr.url,
        webdav_api_url: backend.backend.apiUrl,
        webdav_url: backend.backend.webdavUrl,
      });
    });
  },
);
