import { el } from './dom.mjs';

/** The check that keeps a service from working; undefined: it works. */
export const wrongIn = (checks) => checks.find(({ isWrong }) => isWrong);

/** What is said of a key that nobody has entered: it is not wrong. */
export const MISSING = 'This is still empty, and it is asked for.';

/** What a test has tried, one after the other. What stands at a field, whose name is `toldAt`, is not said again. */
export const checkList = (checks, toldAt) =>
  el(
    'ul',
    { class: 'checks' },
    checks.map((check) =>
      check.isWrong && toldAt !== undefined
        ? row('failed', check.what, `Look at “${toldAt}”.`)
        : row(...wordsOf(check)),
    ),
  );

function wordsOf({ what, found, unproven, failure, isWrong }) {
  if (unproven !== undefined) return ['unproven', `${what}: not proven yet`, unproven];
  if (failure === undefined) return ['', what, found];
  return [isWrong ? 'failed' : 'noted', failure.what, failure.next];
}

const row = (kind, what, more) => el('li', { class: kind }, el('div', {}, el('strong', {}, what), more));
