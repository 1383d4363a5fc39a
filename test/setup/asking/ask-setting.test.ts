import { describe, expect, test } from 'vitest';
import { SERVICES } from '../../../src/connections/services/index.ts';
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
    let title = '';
    await during(askSetting(setting, staged.context), staged, async (person) => {
      ({ title } = await person.waitFor('text'));
      await person.back();
    });
    const { label } = settingRow(setting);
    expect(title.startsWith(label)).toBe(true);
    expect(title.length).toBeLessThanOrEqual(SHOWN);
    // What has to be entered is never called by its name alone.
    if (isOptional !== true) expect(title.length).toBeGreaterThan(label.length);
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
