import type { Check } from '../settings/index.ts';

/** The one that a test has ended with, if it has found something wrong. */
export const firstFailure = (checks: readonly Check[]): Check | undefined =>
  checks.find(({ failure }) => failure !== undefined);

/** What a test has come to, for a dialog: a line for each check, then what to do. Plain letters: not every skin's font has ticks. */
export function checksInWords(checks: readonly Check[]): { readonly title: string; readonly text: string } {
  const failed = firstFailure(checks);
  const lines = checks.map(lineOf).join('\n');
  if (failed?.failure === undefined) return { title: 'Everything works', text: lines };
  const { what, next } = failed.failure.explanation;
  return { title: 'Something does not work yet', text: `${lines}\n\n${what}\n${next}` };
}

function lineOf({ what, found, failure }: Check): string {
  if (failure !== undefined) return `NOT OK: ${what}`;
  return `OK: ${what}${found === undefined ? '' : ` (${found})`}`;
}
