import type { MediaRequest } from '../model/index.ts';
import { plainWords } from '../release/index.ts';
import { foldersOf, type JobFile, stemOf } from './files.ts';

const SAMPLE = /(?<![\p{L}\d])(?:sample|proof)(?![\p{L}\d])/giu;
const SAMPLES = /^(?:samples?|proof)$/i;
const KINDS = String.raw`(?:trailer|teaser|featurette|interview|deleted[ ._-]?scenes?|deleted|behind[ ._-]?the[ ._-]?scenes|making[ ._-]?of|bloopers|gag[ ._-]?reel|outtakes|extras?|bonus|bts)[ ._-]?\d{0,2}$`;
/** At the end of the name, as media centres tell extras: "Sintel-trailer", "Sintel - Making of", "trailer2". */
const EXTRA = new RegExp(`(?:^|[ ._-])${KINDS}`, 'i');
/** Behind an episode's number only directly behind a dash: "S01E02 The Interview" is that episode's title. */
const EPISODE = /s\d{1,4}[ ._-]{0,3}e\d/i;
const EXTRA_OF_EPISODE = new RegExp(`[^ ._-]-${KINDS}`, 'i');
/** What discs of anime hold beside the episodes: songs without credits, menus, commercials. */
const ANIME =
  /(?:^|[^a-z\d])(?:nc(?:op|ed)\d{0,2}[a-z]?|creditless|clean[ ._-](?:op|ed|opening|ending)|(?:menu|pv|cm)[ ._-]?\d{1,2})(?:v\d)?(?:[^a-z\d]|$)/i;
/** What stands where nothing is yet, and what sites enclose. */
const PLACEHOLDER =
  /^(?:placeholder|dummy|downloading|please[ ._-]?wait|rarbg[\w.]*|etrg|www\.[\w.-]{1,60})$/i;
const FOLDER =
  /^(?:samples?|proof|extras?|bonus(?:[ ._-]?(?:disc|features?|material))?|featurettes?|trailers?|interviews?|deleted[ ._-]?scenes?|behind[ ._-]?the[ ._-]?scenes|making[ ._-]?of|shorts?|special[ ._-]features?|nc(?:op|ed)s?|creditless|menus?|backdrops)$/i;

/**
 * Whether a video is a sample, a trailer, a placeholder and the like.
 * @param wanted Words of its titles are no sign of it: there is a show called "Extras".
 */
export function isExtra(file: JobFile, wanted?: MediaRequest): boolean {
  const stem = stemOf(file);
  if (isSample(file, wanted)) return true;
  const found = [
    (EPISODE.test(stem) ? EXTRA_OF_EPISODE : EXTRA).exec(stem),
    ANIME.exec(stem),
    PLACEHOLDER.exec(stem),
    ...foldersOf(file).map((folder) => FOLDER.exec(folder)),
  ].filter((match) => match !== null);
  return found.some(([text]) => !isTitled(text, wanted));
}

/** Whether the file is a sample or a proof by its name or its folder. @param wanted As for isExtra. */
export function isSample(file: JobFile, wanted?: MediaRequest): boolean {
  const words = [...stemOf(file).matchAll(SAMPLE)].map(([word]) => word);
  // A title takes the word once: "Death.Proof.2007.proof" is one.
  const titled = words.findIndex((word) => isTitled(word, wanted));
  const others = words.filter((_, at) => at !== titled);
  return (
    others.length > 0 || foldersOf(file).some((folder) => SAMPLES.test(folder) && !isTitled(folder, wanted))
  );
}

const isTitled = (text: string, wanted: MediaRequest | undefined) =>
  wanted !== undefined && wordsOf(wanted).includes(` ${plainWords(text)} `);

const wordsOf = ({ title, originalTitle = '', alternativeTitles = [], episode }: MediaRequest) =>
  [title, originalTitle, ...alternativeTitles, episode?.title ?? '']
    .map((each) => ` ${plainWords(each)} `)
    .join('|');
