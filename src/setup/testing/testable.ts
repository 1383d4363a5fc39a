import type { Check, Fix } from '../../diagnosis/check.ts';
import type { SettingId } from '../../settings/index.ts';

/** Something whose connection can be tried, with what was entered for it. */
export interface Testable {
  readonly name: string;
  /** All that was entered for it, secrets too: to be compared with what was, and nothing else. */
  entered(): Promise<string>;
  /** Rejects only when the signal aborts. */
  test(signal: AbortSignal): Promise<readonly Check[]>;
  /** What can be changed. */
  readonly values: readonly SettingId[];
  /** What else may be wrong with it, and has a dialog of its own. */
  readonly moreDialogs: readonly RelatedDialog[];
  /** How one of them is called. */
  labelOf(id: SettingId): string;
  /** What stands there now, fit to be seen by others. */
  shownValue(id: SettingId): Promise<string>;
  /** Whether nothing that was entered is lost by that value, as a login in an address would be. */
  keepsLogin(mend: Fix): Promise<boolean>;
  /** Stores a value that is known to be right. */
  enter(mend: Fix): Promise<void>;
  /** Asks for it and stores it. @returns whether something was entered */
  change(id: SettingId): Promise<boolean>;
}

export interface RelatedDialog {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly act: () => Promise<unknown>;
}
