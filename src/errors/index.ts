export type { ErrorCode } from './codes.ts';
export { durationText } from './duration-text.ts';
export { ENTER_BOTH, ENTER_IT, OWN_PLACE } from './own-settings.ts';
export { asSlipstreamError, CancelledError, type Explanation, SlipstreamError } from './slipstream-error.ts';
