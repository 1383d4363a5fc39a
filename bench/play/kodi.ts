import { ALTMOUNT, NZBDAV } from '../../sandbox/index.ts';
import { ARTICLE_BYTES } from '../../sandbox/provider/articles.ts';
import { type Figure, median } from '../figure.ts';
import {
  type BackendLine,
  firstPicture,
  type KodiBench,
  OUR_CALL,
  stallSeconds,
  webdavCall,
  withKodi,
} from './with-kodi.ts';

const MEGABITS = 20;
const SUPPLY: BackendLine = { dialect: NZBDAV, megabits: MEGABITS };
/** Pairs of plays, ours and the same without us. */
const RUNS = 3;
const RATIO_LIMIT = 1.3;
const REPEATED_LIMIT = 1.1;
const UNREAD_LIMIT = 40;
/** Milliseconds. */
const BEGINNING = 25_000;
const TWO_MINUTES = 120_000;
/** Seconds: what Kodi tells of its time is that old. */
const ROUNDING = 0.5;
/** Bytes of the film per second. */
const FILM_RATE = 1e6;

/** From Kodi's opening of the resolved address to its first picture: ours against the WebDAV address itself. */
export const firstPictureInKodi: Figure = {
  name: 'play.first-picture-in-kodi-vs-webdav',
  unit: '×',
  target: `≤ ${RATIO_LIMIT}`,
  measure: async () => {
    const times = { ours: [] as number[], webdav: [] as number[] };
    for (let run = 0; run < RUNS; run++) {
      times.ours.push(await withKodi(SUPPLY, (theatre) => firstPicture(theatre, OUR_CALL)));
      times.webdav.push(
        await withKodi(SUPPLY, (theatre) => firstPicture(theatre, webdavCall(theatre.sandbox))),
      );
    }
    const [ours, webdav] = [median(times.ours), median(times.webdav)];
    const value = ours / webdav;
    const seconds = (ms: number) => (ms / 1000).toFixed(1);
    const note = `${seconds(ours)} s, ${seconds(webdav)} s without us; ${MEGABITS} Mbit/s, medians of ${RUNS}`;
    return { value, met: value <= RATIO_LIMIT, note };
  },
};

/** A film of 8 Mbit/s in the real Kodi on a line of 20: for how long it stands still in two minutes. */
export const stallInKodi: Figure = {
  name: 'play.standstill-in-kodi',
  unit: 's',
  target: `0, ≤ ${REPEATED_LIMIT} articles for each different one, ≤ ${UNREAD_LIMIT} not read`,
  measure: async () => {
    const ours = await withKodi(SUPPLY, (theatre) => watched(theatre, OUR_CALL));
    const webdav = await withKodi(SUPPLY, (theatre) => watched(theatre, webdavCall(theatre.sandbox)));
    const notes = [
      `${ours.beginning.toFixed(1)} s of it in the first 25`,
      `${ours.asked} articles for ${ours.different} different ones, ${ours.unread} not read two minutes later`,
      `without us ${webdav.whole.toFixed(1)} s, ${webdav.beginning.toFixed(1)} in the first 25`,
    ];
    const isFrugal = ours.asked / ours.different <= REPEATED_LIMIT && ours.unread <= UNREAD_LIMIT;
    return { value: ours.whole, met: ours.whole < ROUNDING && isFrugal, note: notes.join('; ') };
  },
};

/** The same at a server of AltMount's kind, which cuts a body whose articles wait too long; the worse of two lines counts. */
export const stallInKodiAltmount: Figure = {
  name: 'play.standstill-in-kodi-altmount',
  unit: 's',
  target: '0, no body cut',
  measure: async () => {
    const lines: { readonly whole: number; readonly cut: number; readonly note: string }[] = [];
    for (const megabits of [20, 50])
      lines.push(
        await withKodi({ dialect: ALTMOUNT, megabits }, async (theatre) => {
          const { whole, beginning, asked, different } = await watched(theatre, OUR_CALL);
          const gets = theatre.sandbox.provider!.gets;
          const cut = gets.filter(({ isCut }) => isCut === true).length;
          const fetched = `${asked} articles for ${different} different ones, ${gets.length} requests, ${cut} bodies cut`;
          const stood = `${whole.toFixed(1)} s, ${beginning.toFixed(1)} in the first 25`;
          return { whole, cut, note: `${megabits} Mbit/s: ${stood}, ${fetched}` };
        }),
      );
    const value = Math.max(...lines.map(({ whole }) => whole));
    const isWhole = lines.every(({ cut }) => cut === 0);
    return { value, met: value < ROUNDING && isWhole, note: lines.map(({ note }) => note).join('; ') };
  },
};

const SOUGHT = 200;
/** Seconds from the place sought to the lost article, and how long is watched from there. */
const TO_THE_HOLE = 12;
const PAST_THE_HOLE = 18_000 + TO_THE_HOLE * 1000;

/** One lost article some seconds behind a seek's target, on a line of 50 Mbit/s: for how long the film stands still. */
export const holeInKodi: Figure = {
  name: 'play.hole-in-kodi',
  unit: 's',
  target: '0',
  measure: () =>
    withKodi({ dialect: NZBDAV, megabits: 50 }, async (theatre) => {
      const { kodi, sandbox } = theatre;
      await firstPicture(theatre, OUR_CALL);
      const from = Math.floor(((SOUGHT + TO_THE_HOLE) * FILM_RATE) / ARTICLE_BYTES) * ARTICLE_BYTES;
      sandbox.faults.missing = { from, to: from + ARTICLE_BYTES };
      await kodi.player.seek(SOUGHT);
      const landed = async () => ((await kodi.player.position()) ?? 0) > SOUGHT || undefined;
      const began = performance.now();
      await kodi.until('the seek has landed', landed);
      const took = (performance.now() - began) / 1000;
      const [value = Number.NaN] = await stallSeconds(kodi, [PAST_THE_HOLE]);
      return { value, met: value < ROUNDING, note: `the seek landed after ${took.toFixed(1)} s` };
    }),
};

interface WatchedInKodi {
  /** Seconds stood still in two minutes, and in their first 25. */
  readonly whole: number;
  readonly beginning: number;
  readonly asked: number;
  readonly different: number;
  readonly unread: number;
}

/** The first two minutes of the film. */
async function watched(theatre: KodiBench, call: string): Promise<WatchedInKodi> {
  const { kodi, sandbox } = theatre;
  await firstPicture(theatre, call);
  const [beginning = Number.NaN, whole = Number.NaN] = await stallSeconds(kodi, [BEGINNING, TWO_MINUTES]);
  const provider = sandbox.provider!;
  const read = ((await kodi.player.position()) ?? 0) * FILM_RATE;
  const unread = provider.articlesBehind(provider.gets[0]!.file, read + (TWO_MINUTES / 1000) * FILM_RATE);
  return { beginning, whole, ...provider.articles(), unread };
}
