import * as v from 'valibot';
import { hexHash } from '../../io/hash.ts';
import { isOwnStreamUrl } from '../own-stream-url.ts';
import type { HandedOverFilm, PlayItem, Properties } from '../port.ts';
import { type KodiItem, traktIds } from './list-item.ts';
import { hostFailed } from './peer.ts';

/**
 * What was handed to Kodi last, with all that Kodi was told of it, for the service to play it again. Kodi's own item
 * is no help: reading it while Kodi changes it ended Kodi (Player.getPlayingItem, 3 of 5 runs). Holds no secret: every
 * add-on can read it, so of a URL that is none of ours it holds a hash alone.
 */
const PROPERTY = 'slipstream.item';
/** Read by script.trakt a second after a film's start. */
const TRAKT = 'script.trakt.ids';

const FilmSchema = v.object({
  item: v.looseObject({ label: v.optional(v.string()), properties: v.record(v.string(), v.string()) }),
  /** The plugin:// call that starts the film anew; empty for a bare URL, which may hold a secret. */
  origin: v.string(),
  /** What script.trakt was told. */
  trakt: v.string(),
  /** PlayItem.mark */
  mark: v.optional(v.string(), ''),
});
const HandedOver = v.object({ ...FilmSchema.entries, key: v.string() });
type HandedOver = v.InferOutput<typeof HandedOver>;

/** Tells the service, and script.trakt, of the film that is about to be handed over. */
export async function writeHandedOver(
  { url, startAt: _, ...item }: KodiItem,
  { request, mark = '' }: Pick<PlayItem, 'request' | 'mark'>,
  origin: string,
  properties: Properties,
): Promise<void> {
  const { subtitles: __, ...harmless } = item;
  const trakt = traktIds(request?.ids);
  await write(
    { key: keyOf(url), item: isOwnStreamUrl(url) ? item : harmless, origin, trakt, mark },
    properties,
  );
  await writeTraktIds(trakt, properties);
}

/** Those of another film would be worse than none. */
async function writeTraktIds(trakt: string, properties: Properties): Promise<void> {
  if (trakt === '') await properties.clear(TRAKT);
  else await properties.set(TRAKT, trakt);
}

/** As readHandedOver, for what is kept elsewhere while other films are handed over. */
export async function readHandedOverFilm(
  url: string,
  properties: Properties,
): Promise<HandedOverFilm | undefined> {
  const handedOver = await readHandedOver(url, properties);
  if (handedOver === undefined) return undefined;
  const { key: _, ...film } = handedOver;
  const { label } = film.item;
  return label === undefined ? film : { ...film, title: label };
}

/** Has a film known again, as if it had just been handed over under that URL. @throws HOST_FAILED for what is none */
export async function restoreHandedOver(
  url: string,
  film: HandedOverFilm,
  properties: Properties,
): Promise<void> {
  const parsed = v.safeParse(FilmSchema, film);
  if (!parsed.success) throw hostFailed(PROPERTY, 'what was kept of a film is of another form');
  await write({ ...parsed.output, key: keyOf(url) }, properties);
  await writeTraktIds(parsed.output.trakt, properties);
}

/** Nothing of the film under that URL is left, unless another one was handed over since. */
export async function clearHandedOver(url: string, properties: Properties): Promise<void> {
  const known = await readHandedOver(url, properties);
  if (known === undefined) return;
  await properties.clear(PROPERTY);
  await clearTraktIds(known.trakt, properties);
}

/** What another add-on has written is left alone. */
async function clearTraktIds(told: string, properties: Properties): Promise<void> {
  if (told !== '' && (await properties.get(TRAKT)) === told) await properties.clear(TRAKT);
}

/** What was handed over under this URL; undefined when something else was handed over since. */
export async function readHandedOver(url: string, properties: Properties): Promise<HandedOver | undefined> {
  const known = await readLatest(properties);
  return known?.key === keyOf(url) ? known : undefined;
}

/**
 * From now on `url` stands for what was handed over under `before`, in whatever container it comes, marked anew.
 *
 * @returns what undoes it, unless something else was handed over since.
 */
export async function moveHandedOver(
  url: string,
  before: string,
  mark: string,
  properties: Properties,
): Promise<() => Promise<void>> {
  const known = await readHandedOver(before, properties);
  if (known === undefined) return () => Promise.resolve();
  // Its subtitles are another file's, too.
  const { mime: _, subtitles: __, ...item } = known.item;
  await write({ ...known, key: keyOf(url), item, mark }, properties);
  return async () => {
    if ((await readHandedOver(url, properties)) !== undefined) await write(known, properties);
  };
}

/** What Kodi is told to play again under this URL: what was handed over, else the bare URL. */
export async function itemToReplay(url: string, properties: Properties): Promise<KodiItem> {
  const known = await readHandedOver(url, properties);
  if (known === undefined) return { url, properties: {} };
  // Of a resolved call Kodi knew the origin by itself; of a played URL it does not, unless it was told.
  const origin = known.origin === '' ? {} : { original_listitem_url: known.origin };
  return { ...known.item, url, properties: { ...origin, ...known.item.properties } };
}

/** A film has started: when it is none of ours, script.trakt must not take it for the last one that was. */
export async function filmStarted(file: string, properties: Properties): Promise<void> {
  const known = await readLatest(properties);
  if (known === undefined || known.key === keyOf(file)) return;
  await clearTraktIds(known.trakt, properties);
}

async function write(handedOver: HandedOver, properties: Properties): Promise<void> {
  await properties.set(PROPERTY, JSON.stringify(handedOver));
}

async function readLatest(properties: Properties): Promise<HandedOver | undefined> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), HandedOver), await properties.get(PROPERTY));
  return parsed.success ? parsed.output : undefined;
}

const keyOf = (url: string): string => hexHash(url);
