import { plainWords } from '../../release/index.ts';
import { foldersOf, type JobFile, stemOf } from './files.ts';

const SAMPLE = /(?:^|[^\p{L}\d])(?:sample|proof)(?:[^\p{L}\d]|$)/iu;
/** At the end of the name, as media centres tell extras: "Sintel-trailer", "Sintel - Making of", "trailer2". */
const EXTRA =
  /(?:^|[ ._-])(?:trailer|teaser|featurette|interview|deleted[ ._-]?scenes?|deleted|behind[ ._-]?the[ ._-]?scenes|making[ ._-]?of|bloopers|gag[ ._-]?reel|outtakes|commentary[ ._-]only|extras?|bonus|bts)[ ._-]?\d{0,2}$/i;
/** What discs of anime hold beside the episodes: songs without credits, menus, commercials. */
const ANIME =
  /(?:^|[^a-z\d])(?:nc(?:op|ed)|creditless|clean[ ._-](?:op|ed|opening|ending)|(?:opening|ending)[ ._-](?:creditless|nc)|menu|pv|cm)[ ._-]?\d{0,2}[a-z]?(?:v\d)?(?:[^a-z\d]|$)/i;
const FOLDER =
  /^(?:samples?|proof|extras?|bonus(?:[ ._-]?(?:disc|features?|material))?|featurettes?|trailers?|interviews?|deleted[ ._-]?scenes?|behind[ ._-]?the[ ._-]?scenes|making[ ._-]?of|shorts?|special[ ._-]features?|nc(?:op|ed)s?|creditless|menus?|backdrops|theme-music)$/i;

/** Whether a video is a sample, a trailer and the like. A word of the wanted title is no sign of it: there is a show called "Extras". */
export function isExtra(file: JobFile, title = ''): boolean {
  const stem = stemOf(file);
  const found = [
    SAMPLE.exec(stem),
    EXTRA.exec(stem),
    ANIME.exec(stem),
    ...foldersOf(file).map((folder) => FOLDER.exec(folder)),
  ];
  const words = plainWords(title).split(' ');
  return found.some((match) => match !== null && !words.includes(plainWords(match[0])));
}
