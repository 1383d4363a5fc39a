import { type Check } from '../diagnosis/check.ts';
import { SlipstreamError } from '../errors/index.ts';
import { SETTINGS, type SettingId } from '../settings/index.ts';

/** What a test says of a key or a password that is empty: nobody has refused what was never entered. */
export const explainMissing = (
  checks: readonly Check[],
  isEmpty: (id: SettingId) => boolean,
): readonly Check[] =>
  checks.map((check) => {
    const { failure, setting } = check;
    if (failure?.code !== 'AUTH_FAILED' || setting === undefined || !isEmpty(setting)) return check;
    const { alsoLikely: _, ...rest } = check;
    return { ...rest, failure: missingCheck(setting, failure) };
  });

/** @param cause What came of it; absent: nobody was asked */
export function missingCheck(id: SettingId, cause?: SlipstreamError): SlipstreamError {
  const row = SETTINGS.find((setting) => setting.id === id);
  const explanation = { what: `${row?.label ?? 'The key'} is not entered yet.`, next: row?.help ?? '' };
  return new SlipstreamError('AUTH_FAILED', explanation, { cause });
}
