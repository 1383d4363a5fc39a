/** A pattern taken apart. Everything that consumes one character is a character, whether letter, class or dot. */
export type Node =
  | Character
  | { readonly kind: 'assertion'; readonly ascii: string; readonly unicode: string }
  | Lookaround
  | { readonly kind: 'group'; readonly group: CaptureGroup; readonly body: Node }
  | { readonly kind: 'atomic'; readonly body: Node }
  | { readonly kind: 'reference'; readonly to: () => CaptureGroup }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | Repeat;

/** Written for names of plain ASCII, which is quicker, and for all others: \w and \b know every alphabet there. */
export interface Character {
  readonly kind: 'character';
  readonly ascii: string;
  readonly unicode: string;
}

export interface Lookaround {
  readonly kind: 'look';
  readonly sign: '?=' | '?!' | '?<=' | '?<!';
  readonly body: Node;
}

interface Repeat {
  readonly kind: 'repeat';
  readonly body: Node;
  readonly min: number;
  readonly max: number;
  readonly lazy: boolean;
}

/** Captures only when something refers to it. */
export interface CaptureGroup {
  readonly id: number;
  referred: boolean;
}

/** Why a pattern is not taken, in words that follow "…: ". */
export class PatternError extends Error {}
