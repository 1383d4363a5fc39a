import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KodiLanguage } from '../../../src/host/kodi/language.ts';
import { errorTexts } from '../../../src/texts/errors.ts';
import { useTranslations } from '../../../src/texts/language.ts';
import { memoryLog } from '../../support/log.ts';

let folder: string;
let log: ReturnType<typeof memoryLog>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipstream-language-'));
  await mkdir(join(folder, 'resources', 'engine', 'texts'), { recursive: true });
  log = memoryLog();
});
afterEach(async () => {
  useTranslations(undefined);
  await rm(folder, { recursive: true });
});

const write = (name: string, content: string) =>
  writeFile(join(folder, 'resources', 'engine', 'texts', name), content);

const GERMAN = JSON.stringify({
  language: 'de_de',
  texts: { 'errors.internal': 'Ein Fehler in Slipstream.' },
});
const ENGLISH = errorTexts.internal();

describe("Kodi's language", () => {
  it('is used where there is a translation, and followed back to English', async () => {
    await write('de_de.json', GERMAN);
    const language = new KodiLanguage(folder, log);
    await language.use('resource.language.de_de');
    expect(errorTexts.internal()).toBe('Ein Fehler in Slipstream.');
    await language.use('resource.language.en_gb');
    expect(errorTexts.internal()).toBe(ENGLISH);
  });

  it('is the last one when two changes overlap', async () => {
    await write('de_de.json', GERMAN);
    const language = new KodiLanguage(folder, log);
    await Promise.all([language.use('resource.language.de_de'), language.use('resource.language.fr_fr')]);
    expect(errorTexts.internal()).toBe(ENGLISH);
  });

  it.each(['', 'resource.language.fr_fr', 'resource.language.../../../secret', 'de_de'])(
    'gives English, and no complaint, for %j',
    async (id) => {
      await write('de_de.json', GERMAN);
      await new KodiLanguage(folder, log).use(id);
      expect(errorTexts.internal()).toBe(ENGLISH);
      expect(log.lines).toEqual([]);
    },
  );

  it.each(['{', '{"language":"de_de","texts":{"errors.internal":5}}'])(
    'gives English, and says why, when its file holds %s',
    async (content) => {
      await write('de_de.json', content);
      await new KodiLanguage(folder, log).use('resource.language.de_de');
      expect(errorTexts.internal()).toBe(ENGLISH);
      expect(log.lines.join()).toContain('the translations into de_de cannot be read');
    },
  );
});
