import { asSlipstreamError, type ErrorCode, type Explanation, SlipstreamError } from '../../errors/index.ts';
import type { SettingId } from '../../settings/index.ts';

/** What is wrong with it stands at its field: that of a setting, or of an entry of the list. */
export type WrongField = { readonly setting: SettingId } | { readonly field: 'name' | 'url' | 'apiKey' };

/** A request that is answered with "no", in words for the person. */
export class PhoneRefusal extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly explanation: Explanation;
  readonly wrong: WrongField | undefined;

  constructor(status: number, code: ErrorCode, explanation: Explanation, wrong?: WrongField) {
    super(explanation.what);
    this.status = status;
    this.code = code;
    this.explanation = explanation;
    this.wrong = wrong;
  }
}

/** Anything thrown, as what the phone is told of it. */
export function asPhoneRefusal(error: unknown): PhoneRefusal {
  if (error instanceof PhoneRefusal) return error;
  const { code, explanation } = asSlipstreamError(error);
  return new PhoneRefusal(error instanceof SlipstreamError ? 502 : 500, code, explanation);
}

/** For requests that no page of ours sends: whoever sent it needs no more words. */
export const foreignRefusal = (status: number, what: string): PhoneRefusal =>
  new PhoneRefusal(status, 'INVALID_REQUEST', { what, next: 'Scan the code on the TV again.' });

/** For a connection more than are served at a time. */
export const tooManyConnectionsRefusal = (): PhoneRefusal =>
  new PhoneRefusal(503, 'BUSY', {
    what: 'Too many devices have this page open.',
    next: 'Close it on the other ones, then load it again.',
  });
