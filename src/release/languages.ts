import { ownValue } from '../io/own-property.ts';

/** ISO 639-1 codes of the languages that releases are spoken in: the English name, and the codes of three letters. */
const TABLE: Readonly<Record<string, readonly [name: string, ...codes: string[]]>> = {
  af: ['Afrikaans', 'afr'],
  ar: ['Arabic', 'ara'],
  bg: ['Bulgarian', 'bul'],
  bn: ['Bengali', 'ben'],
  bs: ['Bosnian', 'bos'],
  ca: ['Catalan', 'cat'],
  cs: ['Czech', 'ces', 'cze'],
  cy: ['Welsh', 'cym', 'wel'],
  da: ['Danish', 'dan'],
  de: ['German', 'deu', 'ger'],
  el: ['Greek', 'ell', 'gre'],
  en: ['English', 'eng'],
  es: ['Spanish', 'spa'],
  et: ['Estonian', 'est'],
  eu: ['Basque', 'eus', 'baq'],
  fa: ['Persian', 'fas', 'per'],
  fi: ['Finnish', 'fin'],
  fr: ['French', 'fra', 'fre'],
  ga: ['Irish', 'gle'],
  gl: ['Galician', 'glg'],
  gu: ['Gujarati', 'guj'],
  he: ['Hebrew', 'heb'],
  hi: ['Hindi', 'hin'],
  hr: ['Croatian', 'hrv'],
  hu: ['Hungarian', 'hun'],
  hy: ['Armenian', 'hye', 'arm'],
  id: ['Indonesian', 'ind'],
  is: ['Icelandic', 'isl', 'ice'],
  it: ['Italian', 'ita'],
  ja: ['Japanese', 'jpn'],
  ka: ['Georgian', 'kat', 'geo'],
  kk: ['Kazakh', 'kaz'],
  kn: ['Kannada', 'kan'],
  ko: ['Korean', 'kor'],
  la: ['Latin', 'lat'],
  lt: ['Lithuanian', 'lit'],
  lv: ['Latvian', 'lav'],
  mk: ['Macedonian', 'mkd', 'mac'],
  ml: ['Malayalam', 'mal'],
  mn: ['Mongolian', 'mon'],
  mr: ['Marathi', 'mar'],
  ms: ['Malay', 'msa', 'may'],
  nl: ['Dutch', 'nld', 'dut'],
  no: ['Norwegian', 'nor', 'nob', 'nno'],
  pa: ['Punjabi', 'pan'],
  pl: ['Polish', 'pol'],
  pt: ['Portuguese', 'por'],
  rm: ['Romansh', 'roh'],
  ro: ['Romanian', 'ron', 'rum'],
  ru: ['Russian', 'rus'],
  sk: ['Slovak', 'slk', 'slo'],
  sl: ['Slovenian', 'slv'],
  sq: ['Albanian', 'sqi', 'alb'],
  sr: ['Serbian', 'srp'],
  sv: ['Swedish', 'swe'],
  ta: ['Tamil', 'tam'],
  te: ['Telugu', 'tel'],
  th: ['Thai', 'tha'],
  tl: ['Tagalog', 'tgl', 'fil'],
  tr: ['Turkish', 'tur'],
  uk: ['Ukrainian', 'ukr'],
  ur: ['Urdu', 'urd'],
  vi: ['Vietnamese', 'vie'],
  zh: ['Chinese', 'zho', 'chi'],
};

/** The code of a language that a person wrote as a code ("de", "ger", "pt-BR") or in English ("German"). */
export function languageCode(text: string): string | undefined {
  const word = text.trim().toLowerCase();
  const bare = /^[a-z]{2,3}(?=[-_])/.exec(word)?.[0] ?? word;
  if (Object.hasOwn(TABLE, bare)) return bare;
  return Object.entries(TABLE).find(([, names]) => names.some((name) => name.toLowerCase() === bare))?.[0];
}

/** "German"; a code that is not known stands for itself. */
export function languageName(code: string): string {
  return ownValue(TABLE, code)?.[0] ?? code;
}
