import { languageName } from '../languages.ts';
import type { Rule } from './rule.ts';

/**
 * One wanted language has to be spoken. A name that tells none is in the original one; MULTi and dual hold the wanted
 * one beside it. While the original language is not known, nothing is rejected for it.
 */
export const languageRule: Rule = ({ release: { quality }, preferences: { languages }, facts }) => {
  if (languages.length === 0 || quality.multi || quality.dual) return undefined;
  const { originalLanguage } = facts;
  const spoken = quality.languages.length > 0 ? quality.languages : [originalLanguage ?? 'original'];
  const wanted = languages.map((code) => (code === 'original' ? originalLanguage : code));
  // Undefined: the original one is wanted, or spoken, and nobody knows which that is.
  if (wanted.includes(undefined) || spoken.includes('original')) return undefined;
  return spoken.some((code) => wanted.includes(code))
    ? undefined
    : `Not in ${languages.map(wantedName).join(' or ')}`;
};

const wantedName = (code: string) => (code === 'original' ? 'the original language' : languageName(code));
