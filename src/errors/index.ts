export type { ErrorCode } from './codes.ts';
export { inWords } from './in-words.ts';
export { asSlipstreamError, CancelledError, type Explanation, SlipstreamError } from './slipstream-error.ts';
