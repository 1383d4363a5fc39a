import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Logger } from '../../log/index.ts';
import { type Translations, useTranslations } from '../../texts/language.ts';
import type { BridgePeer } from './peer.ts';
import type { StartMessage } from './start.ts';

const PREFIX = 'resource.language.';
/** A folder's name is part of a path: nothing but what Kodi's languages are called. */
const LANGUAGE = /^[a-z]{2,3}(?:_[a-z]{2,4})?(?:@[a-z]+)?$/;
const SOURCE_LANGUAGE = 'en_gb';

const Form = v.exactOptional(v.string());
const TranslationFile = v.object({
  language: v.string(),
  texts: v.record(
    v.string(),
    v.union([v.string(), v.object({ zero: Form, one: Form, two: Form, few: Form, many: Form, other: Form })]),
  ),
});

/** Each ping of the service's host tells Kodi's language, which a person may change meanwhile. */
const Ping = v.object({ language: v.optional(v.string()) });

/**
 * Writes texts in Kodi's language from here on: the one that the start message names, then the one of each ping
 * (docs/bridge.md), which is answered here. Resolves when the first one is in use; a failure is logged, and gives English.
 */
export function followKodiLanguage(peer: BridgePeer, start: StartMessage, log: Logger): Promise<void> {
  const language = new KodiLanguage(start.addon.path, log);
  // Before anything is waited for: the host counts the pings that are not answered.
  peer.handle('ping', async (params) => {
    await language.use(v.parse(Ping, params).language);
    return 'pong';
  });
  return language.use(start.language);
}

/** Writes texts in the language that Kodi shows, in English where Slipstream has no translation. */
export class KodiLanguage {
  readonly #folder: string;
  readonly #log: Logger;
  #current = '';

  /** @param addonPath The folder of the installed add-on. */
  constructor(addonPath: string, log: Logger) {
    this.#folder = join(addonPath, 'resources', 'engine', 'texts');
    this.#log = log;
  }

  /** @param id What Kodi calls the language: "resource.language.de_de"; a host that does not say gives English. */
  async use(id = ''): Promise<void> {
    if (id === this.#current) return;
    this.#current = id;
    const language = id.startsWith(PREFIX) ? id.slice(PREFIX.length).toLowerCase() : '';
    const translations =
      LANGUAGE.test(language) && language !== SOURCE_LANGUAGE ? await this.#read(language) : undefined;
    // Another change may have come while this file was read.
    if (this.#current === id) useTranslations(translations);
  }

  async #read(language: string): Promise<Translations | undefined> {
    try {
      return v.parse(
        TranslationFile,
        JSON.parse(await readFile(join(this.#folder, `${language}.json`), 'utf8')),
      );
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) this.#log.warning(`the translations into ${language} cannot be read: ${String(error)}`);
      return undefined;
    }
  }
}
