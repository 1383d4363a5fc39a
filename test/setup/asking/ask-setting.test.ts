import { describe, expect, test } from 'vitest';
import { SERVICES } from '../../../src/connections/services/index.ts';
import { headingOf } from '../../../src/host/heading.ts';
import { askSetting } from '../../../src/setup/asking/ask-setting.ts';
import { settingRow } from '../../../src/setup/asking/stored-settings.ts';
import { during, stage } from '../stage.ts';

const FIELDS = SERVICES.flatMap(({ fields }) => fields).filter(
  ({ setting }) => settingRow(setting).type === 'text',
);

/** What Kodi's keyboard shows of its heading in the skin that comes with it. */
const SHOWN = 72;

describe("the heading over Kodi's keyboard", () => {
  test.each(FIELDS)('fits for $setting, with what helps to enter it', async ({ setting, isOptional }) => {
    const staged = await stage();
    let heading = '';
    await during(askSetting(setting, staged.context), staged, async (person) => {
      heading = headingOf(await person.waitFor('text'));
      await person.back();
    });
    const { label } = settingRow(setting);
    expect(heading.startsWith(label)).toBe(true);
    expect(heading.length).toBeLessThanOrEqual(SHOWN);
    // What has to be entered is never called by its name alone; the usual category is there already.
    if (isOptional !== true && !setting.endsWith('_category'))
      expect(heading.length).toBeGreaterThan(label.length);
  });
});

test.each(['indexer_url', 'stremio_url'] as const)(
  'of %s nothing stands there before it is entered: a name of the internet is asked by https',
  async (id) => {
    const staged = await stage();
    await during(askSetting(id, staged.context), staged, async (person) => {
      expect((await person.write('indexer.example/api')).value).toBe('');
    });
    expect(staged.host.settings[id]).toBe('https://indexer.example/api');
  },
);

test.each([
  ['webdav_username', 'admin'],
  ['webdav_tv_category', 'tv'],
  ['nzbget_movie_category', 'Movies'],
] as const)('%s is its default again where nothing is entered', async (id, usual) => {
  const staged = await stage();
  staged.host.settings[id] = 'mine';
  await during(askSetting(id, staged.context), staged, async (person) => {
    expect((await person.write('')).emptied).toBe(usual);
  });
  expect(staged.host.settings[id]).toBe(usual);
});
