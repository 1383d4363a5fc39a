import { asSlipstreamError, type ErrorCode, type Explanation, SlipstreamError } from '../../errors/index.ts';
import type { SettingId } from '../../settings/index.ts';

/** A request that is answered with "no", in words for the person. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly explanation: Explanation;
  /** The setting that is wrong. */
  readonly setting: SettingId | undefined;

  constructor(status: number, code: ErrorCode, explanation: Explanation, setting?: SettingId) {
    super(explanation.what);
    this.status = status;
    this.code = code;
    this.explanation = explanation;
    this.setting = setting;
  }
}

/** Anything thrown, as what the phone is told of it. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { code, explanation } = asSlipstreamError(error);
  return new Refusal(error instanceof SlipstreamError ? 502 : 500, code, explanation);
}

/** For requests that no page of ours sends: whoever sent it needs no more words. */
export const notForUs = (status: number, what: string): Refusal =>
  new Refusal(status, 'INVALID_REQUEST', { what, next: 'Scan the code on the TV again.' });
