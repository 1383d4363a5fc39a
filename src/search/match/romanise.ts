// Titles in the letters that release names use: Latin ones, without marks.

/** How each letter is mostly transcribed in release names; soft and hard signs vanish. */
const CYRILLIC: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g',
  д: 'd',
  е: 'e',
  ё: 'e',
  є: 'ye',
  ж: 'zh',
  з: 'z',
  и: 'i',
  і: 'i',
  ї: 'yi',
  й: 'y',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ъ: '',
  ы: 'y',
  ь: '',
  э: 'e',
  ю: 'yu',
  я: 'ya',
};

/** Marked letters that whoever types them without the mark writes as two. */
const TWO_LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
  ō: 'ou',
  ū: 'uu',
};

/**
 * Other ways to write a title: "Für" as "fuer", "Shōnen" as "shounen", "Заяц" as "zayats". Empty when there is none.
 * That a mark is simply left out ("fur") is what plainWords does anyway.
 */
export function romanise(title: string): string[] {
  const lower = title.toLowerCase().normalize('NFC');
  const forms = [
    lower.replace(/[\u0400-\u04ff]/g, (letter) => CYRILLIC[letter] ?? letter),
    lower.replace(/[äöüøåōū]/g, (letter) => TWO_LETTERS[letter] ?? letter),
  ];
  return forms.filter((form) => form !== lower);
}
