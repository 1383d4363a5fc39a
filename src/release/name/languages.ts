import { allFacts, type TagFacts } from './tag-facts.ts';
import { exactPhrasesFor, type Phrase, phrasesFor, type Tag, type TagReader } from './tags.ts';
import type { Token } from './tokens.ts';

/** The languages' names in the words that releases use, and their codes of three letters. */
const NAMES: Readonly<Record<string, string>> = {
  ar: 'arabic, ara, arab',
  bg: 'bulgarian, bul, bgaudio',
  bn: 'bengali, bangla, ben',
  bs: 'bosnian, bos',
  ca: 'catalan, cat, catala',
  cs: 'czech, cze, ces, cz',
  cy: 'welsh',
  da: 'danish, dan, dansk',
  de: 'german, ger, deu, deutsch, germandub',
  el: 'greek, gre, ell',
  en: 'english, eng, ingles, anglais, engl, inglese, англ, английский, 英语',
  es: 'spanish, spa, esp, espanol, castellano, cast, castilian, latino, lat, latin spanish, latin american, spanish latin, latam, castellano latino, spanish latino, spanish castellano, espanol latino, espanol castellano, latin, audio latino, latino americano',
  et: 'estonian, est',
  eu: 'basque, euskera, eus, euskara',
  fa: 'persian, farsi, per, fas',
  fi: 'finnish, suomi',
  fr: 'french, fra, fre, truefrench, vff, vfq, vfi, vf2, vof, vf, francais, vostfr vf, quebecois, frenchdub, true french, voq',
  ga: 'irish',
  gl: 'galician, glg, galego, gallego',
  gu: 'gujarati, guj',
  he: 'hebrew, heb',
  hi: 'hindi, hin',
  hr: 'croatian, hrv, cro',
  hu: 'hungarian, hun, magyar, magyar szinkron',
  hy: 'armenian',
  id: 'indonesian, indonesia, ind, indo, bahasa indonesia',
  is: 'icelandic, isl, ice',
  it: 'italian, ita, italiano, itadub',
  ja: 'japanese, jpn, jap, 日语',
  ka: 'georgian, geo',
  kk: 'kazakh, kaz',
  kn: 'kannada, kan',
  ko: 'korean, kor, 韩语',
  la: 'latina lingua',
  lt: 'lithuanian, lit',
  lv: 'latvian, lav',
  mk: 'macedonian, mkd',
  ml: 'malayalam, mal',
  mr: 'marathi, mar',
  ms: 'malay, may, melayu',
  nl: 'dutch, dut, nld, flemish, vlaams, nederlands',
  no: 'norwegian, nor, norsk',
  pa: 'punjabi, pan, pun',
  pl: 'polish, pol, polski, pldub, pl dub, lektor pl, lektor, dubbing pl, polskie',
  pt: 'portuguese, por, portugues, brazilian, dublado, dublada, brazilian portuguese, portuguese brazil, pt br, ptbr, pt pt, ptpt, brasileiro',
  ro: 'romanian, rum, ron, romana',
  ru: 'russian, rus, rusdub, rusdublyazh, русский, дубляж, рус, русская озвучка, многоголосыи, дублированныи, дублированный, многоголосый, закадровый',
  sk: 'slovak, slo, slk',
  sl: 'slovenian, slv',
  sq: 'albanian, alb, sqi',
  sr: 'serbian, srp, srb',
  sv: 'swedish, swe, svensk, svenska, swedub',
  ta: 'tamil, tam',
  te: 'telugu, tel',
  th: 'thai, tha',
  tl: 'tagalog, filipino, tgl',
  tr: 'turkish, tur, turkce, turkce dublaj',
  uk: 'ukrainian, ukr, український, укр, українська, украинский',
  ur: 'urdu, urd',
  vi: 'vietnamese, vie',
  af: 'afrikaans',
  az: 'azerbaijani, azeri',
  be: 'belarusian, belorussian',
  ku: 'kurdish',
  km: 'khmer',
  mn: 'mongolian',
  my: 'burmese',
  ne: 'nepali',
  or: 'odia',
  si: 'sinhala, sinhalese',
  sw: 'swahili',
  uz: 'uzbek',
  yi: 'yiddish',
  zh: 'chinese, chi, zho, mandarin, cantonese, putonghua, 国语, 粤语, 國語, 粵語, 国粤双语, 中文配音',
};

/** Names that titles hold as well, as short ones do: they count only behind the title. */
const isLate = (name: string) => name.length <= 4 || ['irish', 'welsh', 'latin'].includes(name);

/** Codes of two letters, as written: elsewhere they are words. */
const CODES: Readonly<Record<string, string>> = {
  ar: 'AR',
  bg: 'BG',
  cs: 'CS, CZ',
  da: 'DA, DK',
  de: 'DE',
  el: 'GR',
  en: 'EN, En',
  es: 'ES',
  fi: 'FI',
  fr: 'FR',
  he: 'HE',
  hi: 'HI',
  hr: 'HR',
  hu: 'HU',
  it: 'IT',
  ja: 'JP, JA',
  ko: 'KO, KR',
  nl: 'NL',
  no: 'NO',
  pl: 'PL',
  pt: 'PT, BR',
  ro: 'RO',
  ru: 'RU',
  sk: 'SK',
  sr: 'SR',
  sv: 'SV, SE',
  tr: 'TR',
  uk: 'UA, UKR',
  vi: 'VI',
  zh: 'ZH, CN',
};

const ISO = new Map<string, string>();
for (const [iso, names] of Object.entries(NAMES)) {
  for (const name of names.split(', ')) ISO.set(name, iso);
}

export const LANGUAGES: readonly Phrase[] = [
  ...[...ISO].flatMap(([name, iso]) =>
    phrasesFor(isLate(name) ? 'late' : 'weak', { languages: [iso] }, name),
  ),
  ...Object.entries(CODES).flatMap(([iso, codes]) => exactPhrasesFor('late', { languages: [iso] }, codes)),

  ...phrasesFor(
    'weak',
    { multi: true },
    'multi, multi audio, multiaudio, multi lang, multilang, multi language, multi languages, multilanguage, multilingual, multi5, multi4, multi3, multi6, multi7, multi2, multi vf, trial audio, tri audio, trial-audio, quad audio, multi dub, multi dubs, multidub',
  ),
  ...phrasesFor(
    'weak',
    { multi: true, languages: ['fr'] },
    'multi vff, multi vf2, multi vfq, multi truefrench, multi french, multi vfi, multi vof, multivff, multivf2',
  ),
  ...phrasesFor(
    'weak',
    { dual: true },
    'dual, dual audio, dualaudio, dual lang, dual language, bilingual, dubbed dl, double language, 2audio',
  ),
  ...exactPhrasesFor('late', { dual: true }, 'DL, dl, Dl'),
  ...phrasesFor('weak', { dual: true, languages: ['de'] }, 'german dl, german dubbed dl'),
  ...phrasesFor('weak', { multi: true, languages: ['de'] }, 'german ml'),
  ...exactPhrasesFor('late', { multi: true }, 'ML'),
  ...phrasesFor('weak', { dual: true, languages: ['it', 'en'] }, 'ita-eng'),

  ...phrasesFor(
    'strong',
    { subtitles: ['fr'] },
    'vostfr, subfrench, vost fr, subfr, stfr, fastsub vostfr, vostf, vosta fr',
  ),
  ...phrasesFor(
    'strong',
    { subtitles: ['es'] },
    'vose, subesp, subspa, subtitulado, sub espanol, subtitulada, subs espanol',
  ),
  ...phrasesFor('strong', { subtitles: ['pt'] }, 'legendado, legendada, legendas'),
  ...phrasesFor('strong', { subtitles: ['pl'] }, 'plsub, plsubbed, napisy pl, napisypl, subpl, napisy'),
  ...phrasesFor(
    'strong',
    { subtitles: ['en'] },
    'vosten, vosteng, vosta, esub, esubs, e sub, e subs, engsub, engsubs, subeng, ensub, ensubs',
  ),
  ...phrasesFor(
    'strong',
    { subtitles: ['zh'] },
    'chs, cht, 简体, 繁体, 繁體, 簡體, 中字, 中文字幕, 简中, 繁中, 简繁, 简体内嵌, 繁體內嵌, 简繁内封, chs cht, big5, 双语字幕, 国语中字',
  ),
  ...phrasesFor('strong', { languages: ['en', 'zh'] }, '国英双语, 英国双语, 中英双语'),
  ...phrasesFor(
    'strong',
    { subtitles: ['en', 'zh'] },
    'chs eng, cht eng, 中英字幕, 中英双字, 简英, 繁英, 中英特效字幕, chs eng jpn',
  ),
  ...phrasesFor('strong', { subtitles: ['ko'] }, '자막, 한글자막'),
  ...phrasesFor('strong', { subtitles: ['ko'] }, 'korsub, korsubs, hc korsub'),
  ...phrasesFor('strong', { subtitles: ['sv'] }, 'swesub, swesubs, svensktextad, svesub'),
  ...phrasesFor('strong', { subtitles: ['da'] }, 'danishsub, dksub, dksubs, dansub, dksubbed'),
  ...phrasesFor('strong', { subtitles: ['no'] }, 'norsub, norsubs, nosub, nosubs'),
  ...phrasesFor('strong', { subtitles: ['fi'] }, 'finsub, finsubs, fisub'),
  ...phrasesFor(
    'strong',
    { subtitles: ['nl'] },
    'nlsub, nlsubs, nlsubbed, nlondertiteld, dutchsub, dutchsubs, nl subs, nl sub, nl subbed',
  ),
  ...phrasesFor('strong', { subtitles: ['ro'] }, 'rosub, rosubs, rosubbed'),
  ...phrasesFor('strong', { subtitles: ['de'] }, 'gersub, gersubs, gerdubsub, desub'),
  ...phrasesFor('strong', { subtitles: ['hr'] }, 'crosub'),
  ...phrasesFor(
    'strong',
    {},
    'multisub, multisubs, multi sub, multi subs, msubs, msub, multi subtitles, multiple subtitle, multiple subtitles, multi subtitle, dual sub, dual subs, fastsub, softsub, softsubs, hardsub, hardsubs, hardsubbed, no subs, nosubs',
  ),
  // Such releases carry subtitles in all of these.
  ...phrasesFor(
    'weak',
    { subtitles: ['da', 'fi', 'no', 'sv'] },
    'nordic, nordicsubs, nordic subs, scandinavian',
  ),
  ...phrasesFor(
    'strong',
    { subtitles: ['ja', 'zh'] },
    'gb jp, chs jp, cht jp, chs jpn, cht jpn, 简日双语, 繁日雙語, 繁日双语, 简日, 繁日',
  ),
  ...exactPhrasesFor('late', { languages: ['fi'] }, 'FIN, FiN, fin'),
  ...phrasesFor('late', { languages: ['ru'] }, 'mvo, dvo, avo, дб, лм'),

  ...phrasesFor(
    'weak',
    { subtitleWord: true },
    'altyazılı, altyazi, altyazili, titulky, felirat, subbed, subtitled, subtitles, subtitle, softsubbed, untertitel, ut, сабы, субтитры, sous titres',
  ),
  ...phrasesFor(
    'late',
    { subtitleWord: true },
    'sub, subs, st, vost, fansub, sottotitoli, subtitulos, tit, subforced, sub forced',
  ),
  ...phrasesFor('weak', { audioWord: true }, 'dubbed, dub, dublat in, dublat, dublaj, dabing, dubbing'),
  ...phrasesFor(
    'late',
    { audioWord: true },
    'audio, audios, szinkron, gesproken, dubs, doppiaggio, track, lang, language, languages, synced, line dubbed, mic dubbed, fandub, mic',
  ),
  ...phrasesFor('late', { audioWord: true }, 'vo, ov, omu'),
];

const SUBTITLES = /^(.{2,12}?)(?:soft|hard)?(?:subs?|subbed|subtitles)$/;
const SUBTITLES_BEFORE = /^subs?(.{2,10})$/;
const DUBBED = /^(.{2,12})(?:dub|dubbed|audio)$/;

const GLUED = /^sub|sub(?:s|bed|titles)?$|dub(?:bed)?$|audio$/;

/** "EngSub", "SubIta", "GerDub". */
const readGlued: TagReader = (tokens, at) => {
  const key = tokens[at]?.key ?? '';
  // "| D", "| P2": the letters by which Russian lists say how it was dubbed.
  if (/^[dplaдпла]\d?$/.test(key) && tokens[at]?.sep.includes('|')) return late(at, { languages: ['ru'] });
  // "2xUkr": two tracks of it.
  const several = /^[2-5][xх]([a-z]{3})$/.exec(key)?.[1];
  if (several !== undefined && ISO.has(several)) return late(at, { languages: [ISO.get(several) ?? ''] });
  if (key.length < 4 || key.length > 24 || !GLUED.test(key)) return undefined;
  const subtitles = isoOf(SUBTITLES.exec(key)?.[1]) ?? isoOf(SUBTITLES_BEFORE.exec(key)?.[1]);
  if (subtitles !== undefined) return late(at, { subtitles: [subtitles] });
  const spoken = isoOf(DUBBED.exec(key)?.[1]);
  return spoken === undefined ? undefined : late(at, { languages: [spoken] });
};

const TWO_LETTERS = new Map(
  Object.entries(CODES).flatMap(([iso, codes]) =>
    codes.split(', ').map((code) => [code.toLowerCase(), iso] as const),
  ),
);

function isoOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : (ISO.get(name) ?? TWO_LETTERS.get(name));
}

const late = (at: number, facts: TagFacts): Tag => ({
  from: at,
  to: at + 1,
  trust: 'late',
  facts: allFacts(facts),
});

export const LANGUAGE_READERS: readonly TagReader[] = [readGlued];

/** Which of the languages are spoken and which are subtitles'. */
export interface TrackLanguages {
  readonly languages: Set<string>;
  readonly subtitles: Set<string>;
}

/**
 * Tells spoken languages from those of the subtitles. A word such as "Sub" claims the languages behind it up to the
 * next other tag ("ITA ENG Sub ITA"), or else those that are joined before it ("Ger.Eng.Subs" claims the last only,
 * "ENG+GER Subs" both).
 */
export function trackLanguagesOf(tags: readonly Tag[], tokens: readonly Token[]): TrackLanguages {
  const found: TrackLanguages = { languages: new Set(), subtitles: new Set() };
  const claimed = new Set<Tag>();
  tags.forEach((tag, index) => {
    if (tag.facts.subtitleWord) for (const one of claims(tags, index, tokens)) claimed.add(one);
  });
  for (const tag of tags) {
    for (const iso of tag.facts.subtitles ?? []) found.subtitles.add(iso);
    for (const iso of tag.facts.languages ?? []) {
      (claimed.has(tag) ? found.subtitles : found.languages).add(iso);
    }
  }
  return found;
}

function claims(tags: readonly Tag[], index: number, tokens: readonly Token[]): readonly Tag[] {
  const word = tags[index];
  if (word === undefined) return [];
  const before = tags[index - 1];
  const ending = /^(?:subs|subbed|subtitled|subtitles)$/.test(tokens[word.from]?.key ?? '');
  const near = before?.facts.languages !== undefined && before.to === word.from;
  const behind = languagesBehind(tags, index, tokens);
  // "Eng Subs Ita": a word in the plural belongs to what stands before it, unless that is cut off.
  if (behind.length > 0 && !(ending && near && /^[ ._]$/.test(tokens[word.from]?.sep ?? ''))) return behind;
  return near ? joinedBefore(tags, index, tokens) : [];
}

function languagesBehind(tags: readonly Tag[], index: number, tokens: readonly Token[]): Tag[] {
  const found: Tag[] = [];
  let end = tags[index]?.to;
  const bracket = tokens[tags[index]?.from ?? 0]?.bracket;
  for (const tag of tags.slice(index + 1)) {
    if (tag.from !== end || tag.facts.languages === undefined) break;
    if (tokens[tag.from]?.bracket !== bracket) break;
    found.push(tag);
    end = tag.to;
  }
  return found;
}

function joinedBefore(tags: readonly Tag[], index: number, tokens: readonly Token[]): Tag[] {
  const found: Tag[] = [];
  let next = index;
  // "[Eng Rus Subs]": a pair of brackets is about one thing.
  const word = tags[index];
  const bracket = tokens[word?.from ?? 0]?.bracket;
  const fills = bracket !== undefined && bracket.end === word?.to;
  const inside = (tag: Tag | undefined) => tokens[tag?.from ?? 0]?.bracket === bracket;
  for (let at = index - 1; at >= 0; at--) {
    const tag = tags[at];
    if (tag?.facts.languages === undefined || tag.to !== tags[next]?.from || !inside(tag)) break;
    const joined = at === index - 1 || /^[+&/,-]?$/.test(tokens[tags[next]?.from ?? 0]?.sep ?? '') || fills;
    if (!joined) break;
    found.push(tag);
    next = at;
  }
  return found;
}
