/** What the person typed at the list. Without a number a row is the first one. */
export type Answer =
  | { readonly kind: 'choose' | 'details'; readonly number: number | undefined }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'back' }
  | { readonly kind: 'unclear' };

const ANSWER = /^(?<letter>[adq]?)\s*(?<digits>\d{0,6})$/;

/** "", "3", "d 3", "a", "q". */
export function parseAnswer(text: string): Answer {
  const { letter, digits = '' } = ANSWER.exec(text.trim().toLowerCase())?.groups ?? {};
  const number = digits === '' ? undefined : Number(digits);
  if (letter === '') return { kind: 'choose', number };
  if (letter === 'd') return { kind: 'details', number };
  if (letter === undefined || number !== undefined) return { kind: 'unclear' };
  return { kind: letter === 'a' ? 'toggle' : 'back' };
}
