/** About so many characters of its heading Kodi's keyboard shows; of the rest it makes dots. */
const MAX_HEADING = 72;

/** What a question is called, and as much of the help as a heading can show in whole sentences. */
export function headingOf({ title, help = '' }: { readonly title: string; readonly help?: string }): string {
  const sentences = help === '' ? [] : help.split(/(?<=\.) /);
  const headings = sentences.map((_, at) => `${title}. ${sentences.slice(0, at + 1).join(' ')}`);
  return headings.findLast(({ length }) => length <= MAX_HEADING) ?? title;
}
