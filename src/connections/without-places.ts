import type { Check } from '../diagnosis/check.ts';
import { OWN_PLACE, SlipstreamError } from '../errors/index.ts';

const PLACE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`Open ${OWN_PLACE} and enter`, 'g'), 'Enter'],
  [new RegExp(` Enter (?:it|both) in ${OWN_PLACE}\\.`, 'g'), ''],
  [new RegExp(` in(?:to)? ${OWN_PLACE}`, 'g'), ''],
];

/** What a test has found, for somebody who has before them what was entered, or is asked for it next: no place is named. */
export const withoutPlaces = (checks: readonly Check[]): readonly Check[] =>
  checks.map((check) =>
    check.failure === undefined ? check : { ...check, failure: failureWithoutPlace(check.failure) },
  );

function failureWithoutPlace(failure: SlipstreamError): SlipstreamError {
  const { what, next } = failure.explanation;
  const here = { what: textWithoutPlace(what), next: textWithoutPlace(next) };
  if (here.what === what && here.next === next) return failure;
  return new SlipstreamError(failure.code, here, { cause: failure, detail: failure.message });
}

const textWithoutPlace = (words: string): string =>
  PLACE_PATTERNS.reduce((text, [way, here]) => text.replace(way, here), words);
