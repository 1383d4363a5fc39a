export type { ErrorCode } from './codes.ts';
export { asSlipstreamError, CancelledError, type Explanation, SlipstreamError } from './slipstream-error.ts';
