import { firstFailure } from '../../connections/check-texts.ts';
import type { Check, Fix } from '../../diagnosis/check.ts';
import type { ErrorCode, Explanation } from '../../errors/index.ts';
import { redact } from '../../log/index.ts';
import type { SettingId } from '../../settings/index.ts';
import { holdsLogin } from './shown-settings.ts';

/** A check as the page gets it: a failure comes with its words, never with its cause. */
export interface ShownCheck
  extends Pick<Check, 'what' | 'found' | 'unproven' | 'setting' | 'alsoLikely' | 'mend'> {
  /** It keeps the service from working. */
  readonly isWrong?: true;
  readonly failure?: Explanation & { readonly code: ErrorCode };
}

/** What stands on the page that a test was made with. */
export interface TestedPage {
  /** What is entered for a setting now. */
  readonly entered: (setting: SettingId) => string;
  /** What the page shows anyhow: no word is masked because a secret equals it. */
  readonly shown: ReadonlySet<string>;
}

/** What a test has found, as the page gets it: with what is secret taken out of its words. */
export function shownChecks(checks: readonly Check[], page: TestedPage): readonly ShownCheck[] {
  const wrong = firstFailure(checks);
  return checks.map((check) => ({ ...shownCheck(check, page), ...(check === wrong && { isWrong: true }) }));
}

function shownCheck(check: Check, { entered, shown }: TestedPage): ShownCheck {
  const { what, found, unproven, failure, setting, alsoLikely } = check;
  const mend = check.mend !== undefined && isShown(check.mend, entered) ? check.mend : undefined;
  const plain = new Set([...shown, ...(mend === undefined ? [] : [mend.value])]);
  const words = (text: string) => redact(text, plain);
  return {
    what: words(what),
    ...(found !== undefined && { found: words(found) }),
    ...(unproven !== undefined && { unproven: words(unproven) }),
    ...(setting !== undefined && { setting }),
    ...(alsoLikely !== undefined && { alsoLikely }),
    ...(failure !== undefined && {
      failure: {
        code: failure.code,
        what: words(failure.explanation.what),
        next: words(failure.explanation.next),
      },
    }),
    // Never masked: its button would enter the mask.
    ...(mend !== undefined && { mend }),
  };
}

/**
 * A login in what was entered would be lost, and an address that holds one stays here, as one that holds a secret does. A
 * user's name is none, whatever the password is.
 */
const isShown = ({ setting, value }: Fix, entered: (setting: SettingId) => string): boolean =>
  !setting.endsWith('_url') || !(holdsLogin(entered(setting)) || holdsLogin(value));
