import { redact } from '../../log/index.ts';

/** Kodi's markup in labels; a release's name may well hold "[B]". */
const MARKUP = /\[(?=\/?(?:b|i|light|color|uppercase|lowercase|capitalize|tabs|cr)\b[^\]]*\])/giu;

/** Text as Kodi will show it, letter for letter: no secret, no markup of a stranger's, on one line. */
export function kodiLabel(text: string): string {
  return kodiLabelUnredacted(redact(text));
}

/** The same with what may be a secret: only for what the person is to type elsewhere. */
export function kodiLabelUnredacted(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(MARKUP, '(');
}

/** The same for text of several lines, which stay lines. */
export function kodiText(text: string): string {
  return text.split('\n').map(kodiLabel).join('\n');
}

/** What shows text in a colour (AARRGGBB). */
export function coloured(colour: string, text: string): string {
  return `[COLOR ${colour}]${text}[/COLOR]`;
}
