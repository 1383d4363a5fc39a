import * as v from 'valibot';
import type { Properties } from '../port.ts';
import type { KodiItem } from './list-item.ts';

/**
 * What was handed to Kodi last, with all that Kodi was told of it, for the service to play it again. Kodi's own item
 * is no help: reading it while Kodi changes it ended Kodi (Player.getPlayingItem, 3 of 5 runs). Holds no secret.
 */
const PROPERTY = 'slipstream.item';

const HandedOver = v.object({
  item: v.looseObject({ url: v.string(), properties: v.record(v.string(), v.string()) }),
  /** The plugin:// call that starts the film anew; empty for a bare URL, which may hold a secret. */
  origin: v.string(),
});
type HandedOver = v.InferOutput<typeof HandedOver>;

export async function remember(item: KodiItem, origin: string, properties: Properties): Promise<void> {
  await properties.set(PROPERTY, JSON.stringify({ item, origin }));
}

/** What was handed over under this URL; undefined when something else was handed over since. */
export async function recall(url: string, properties: Properties): Promise<HandedOver | undefined> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), HandedOver), await properties.get(PROPERTY));
  return parsed.success && parsed.output.item.url === url ? parsed.output : undefined;
}

/** From now on `url` stands for what was handed over under `before`, in whatever container it comes. */
export async function takeOver(url: string, before: string, properties: Properties): Promise<void> {
  const known = await recall(before, properties);
  if (known === undefined) return;
  const { mime: _, ...item } = known.item;
  await properties.set(PROPERTY, JSON.stringify({ item: { ...item, url }, origin: known.origin }));
}

/** What Kodi is told to play again under this URL: what was handed over, else the bare URL. */
export async function again(url: string, properties: Properties): Promise<KodiItem> {
  const known = await recall(url, properties);
  if (known === undefined) return { url, properties: {} };
  // Of a resolved call Kodi knew the origin by itself; of a played URL it does not.
  const origin = known.origin === '' ? {} : { original_listitem_url: known.origin };
  return { ...known.item, properties: { ...known.item.properties, ...origin } };
}
