import { isVideo } from '../../job-files/files.ts';

/**
 * What a posted file is, by its name: `video`; `volume` of an archive or of a file that was cut; `side`, what no film needs
 * (parity, texts, pictures, subtitles); undefined, whatever else, obfuscated names among them.
 */
export type PostedKind = 'video' | 'volume' | 'side';

export function postedKindOf(name: string): PostedKind | undefined {
  if (SIDE_FILE.test(name)) return 'side';
  if (isVideo({ path: [name] })) return 'video';
  return volumeOf(name) === undefined ? undefined : 'volume';
}

const SIDE_FILE =
  /\.(?:par2?|p\d\d|nfo|sfv|md5|sha\d{1,3}|srr|srs|nzb|txt|url|lnk|html?|xml|json|log|diz|jpe?g|png|gif|bmp|webp|srt|sub|idx|ass|ssa|sup|vtt|smi|m3u8?|cue|mp3|flac|exe|bat|com|scr|db|ini)$/i;

/** Its place in a set. */
export interface Volume {
  /** What all volumes of the set, and no others, have in common. */
  readonly set: string;
  /** What the set is called. */
  readonly base: string;
  /** Rises by 1 from one volume to the next. */
  readonly ordinal: number;
  /** A number at the end of a name may mean something else: only several in a row are volumes. */
  readonly isLoose: boolean;
}

interface VolumeForm {
  readonly pattern: RegExp;
  readonly loose?: true;
  readonly ordinal: (number: string, letter: string) => number;
}

const R = 'r'.charCodeAt(0);
/** The surest first. The pattern's groups: the base, the number. */
const VOLUME_FORMS: Readonly<Record<string, VolumeForm>> = {
  part: { pattern: /^(.+)\.part(\d{1,5})\.rar$/i, ordinal: Number },
  rar: { pattern: /^(.+)\.rar$/i, ordinal: () => 0 },
  old: {
    pattern: /^(.+)\.[r-z](\d\d)$/i,

    ordinal: (number, letter) => 1 + (letter.charCodeAt(0) - R) * 100 + Number(number),
  },
  seven: { pattern: /^(.+\.7z)\.(\d{2,4})$/i, ordinal: Number },
  whole: { pattern: /^(.+\.(?:7z|zip))$/i, ordinal: () => 0 },
  split: { pattern: /^(.+)\.(\d{1,4})$/, loose: true, ordinal: Number },
};

export function volumeOf(name: string): Volume | undefined {
  for (const [form, { pattern, loose = false, ordinal }] of Object.entries(VOLUME_FORMS)) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const [, base = '', number = ''] = match;
    // ".rar" is the first of ".r00" and its like.
    const set = `${form === 'old' ? 'rar' : form} ${base.toLowerCase()}`;
    return { set, base, isLoose: loose, ordinal: ordinal(number, name.at(-3)?.toLowerCase() ?? 'r') };
  }
  return undefined;
}
