/** What the person typed at the list. Without a number a row is the first one. */
export type PickerAnswer =
  | { readonly kind: 'choose' | 'details'; readonly number: number | undefined }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'back' }
  | { readonly kind: 'unclear' };

const ANSWER = /^(?<letter>[adq]?)\s*(?<digits>\d{0,6})$/;

/** "", "3", "d 3", "a", "q". */
export function parsePickerAnswer(text: string): PickerAnswer {
  const { letter, digits = '' } = ANSWER.exec(text.trim().toLowerCase())?.groups ?? {};
  const number = digits === '' ? undefined : Number(digits);
  if (letter === '') return { kind: 'choose', number };
  if (letter === 'd') return { kind: 'details', number };
  if (letter === undefined || number !== undefined) return { kind: 'unclear' };
  return { kind: letter === 'a' ? 'toggle' : 'back' };
}
