import type { SettingId } from '../../../src/settings/index.ts';

/** Settings as a host stores them. */
export type Raw = Partial<Record<SettingId, string>>;

/** What a setting, or several together, change, and the proof of it. */
export interface Effect {
  readonly of: readonly SettingId[];
  /** For the name of its test. */
  readonly title: string;
  readonly check: () => void | Promise<void>;
}

export const effect = (raw: Raw, what: string, check: Effect['check']): Effect => ({
  of: Object.keys(raw) as SettingId[],
  title: `${JSON.stringify(raw)} ${what}`,
  check,
});
