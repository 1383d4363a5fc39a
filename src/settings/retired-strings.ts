/**
 * Numbers of strings that stood in a version that was given out and are used no more. A translation or a skin may still
 * hold their old texts, so nothing new may take one.
 */
export const RETIRED_STRINGS: readonly number[] = [];
