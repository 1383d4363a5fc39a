import type { Check } from '../diagnosis/check.ts';

/** What a test has found that keeps the service from working; of several of a kind, one that works is enough. */
export function firstFailure(checks: readonly Check[]): Check | undefined {
  const isEnough = checks.some(({ isOneOfMany, failure }) => isOneOfMany && failure === undefined);
  return checks.find((check) => hasFailed(check) && !check.isNote && !(check.isOneOfMany && isEnough));
}

/** Nothing has failed there, but whether it is right shows only later. */
export const isUnproven = ({ unproven }: Check): boolean => unproven !== undefined;

export const hasFailed = ({ failure }: Check): boolean => failure !== undefined;

/** "3 of 4 behind it can be asked"; undefined where they all do, or there are none. */
export function countText(checks: readonly Check[]): string | undefined {
  const many = checks.filter(({ isOneOfMany }) => isOneOfMany);
  const working = many.filter((check) => !hasFailed(check));
  return working.length === many.length
    ? undefined
    : `${working.length} of ${many.length} behind it can be asked`;
}

/** What does not work, but films play without it. */
export const failedNote = (checks: readonly Check[]): Check | undefined =>
  checks.find((check) => check.isNote === true && hasFailed(check));

/** Something that a person should be told of although nothing keeps the service from working. */
export const hasRemarks = (checks: readonly Check[]): boolean =>
  checks.some(isUnproven) || failedNote(checks) !== undefined;

/** Over what a test of a service has found that does not fail: "NZBGet works". */
export function worksText(name: string, checks: readonly Check[]): string {
  if (checks.some(isUnproven)) return `${name} answers, but not all is proven yet`;
  return failedNote(checks) !== undefined ? `${name} works, but not all of it` : `${name} works`;
}

/** What a test has come to, for a dialog: a line for each check, then what to do. Plain letters: not every skin's font has ticks. */
export function checksText(checks: readonly Check[]): { readonly title: string; readonly text: string } {
  const failed = firstFailure(checks) ?? checks.find(hasFailed);
  const lines = checks.map(lineOf).join('\n');
  const fine = checks.some(isUnproven) ? 'Nothing is wrong, but not all is proven' : 'Everything works';
  if (failed?.failure === undefined) return { title: fine, text: lines };
  const { what, next } = failed.failure.explanation;
  const reason = failed.isOneOfMany || failed.isNote ? next : `${what}\n${next}`;
  return { title: 'Something does not work', text: `${lines}\n\n${reason}` };
}

function lineOf({ what, found, unproven, failure, isOneOfMany, isNote }: Check): string {
  if (failure !== undefined) return `NOT OK: ${isOneOfMany || isNote ? failure.explanation.what : what}`;
  if (unproven !== undefined) return `NOT PROVEN YET: ${what} (${unproven})`;
  return `OK: ${what}${found === undefined ? '' : ` (${found})`}`;
}
