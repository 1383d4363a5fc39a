import type { Check } from '../settings/index.ts';

/** What a test has found that keeps the service from working; of several of a kind, one that works is enough. */
export function firstFailure(checks: readonly Check[]): Check | undefined {
  const isEnough = checks.some(({ isOneOfMany, failure }) => isOneOfMany && failure === undefined);
  return checks.find((check) => hasFailed(check) && !check.isNote && !(check.isOneOfMany && isEnough));
}

export const hasFailed = ({ failure }: Check): boolean => failure !== undefined;

/** "3 of 4 behind it can be asked"; undefined where they all do, or there are none. */
export function manyInWords(checks: readonly Check[]): string | undefined {
  const many = checks.filter(({ isOneOfMany }) => isOneOfMany);
  const working = many.filter((check) => !hasFailed(check));
  return working.length === many.length
    ? undefined
    : `${working.length} of ${many.length} behind it can be asked`;
}

/** What a test has come to, for a dialog: a line for each check, then what to do. Plain letters: not every skin's font has ticks. */
export function checksInWords(checks: readonly Check[]): { readonly title: string; readonly text: string } {
  const failed = firstFailure(checks) ?? checks.find(hasFailed);
  const lines = checks.map(lineOf).join('\n');
  if (failed?.failure === undefined) return { title: 'Everything works', text: lines };
  const { what, next } = failed.failure.explanation;
  const reason = failed.isOneOfMany || failed.isNote ? next : `${what}\n${next}`;
  return { title: 'Something does not work yet', text: `${lines}\n\n${reason}` };
}

function lineOf({ what, found, failure, isOneOfMany, isNote }: Check): string {
  if (failure !== undefined) return `NOT OK: ${isOneOfMany || isNote ? failure.explanation.what : what}`;
  return `OK: ${what}${found === undefined ? '' : ` (${found})`}`;
}
