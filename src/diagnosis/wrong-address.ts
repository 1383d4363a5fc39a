import { type Explanation, SlipstreamError } from '../errors/index.ts';

/** It is known where the service is: on the machine that was entered, in another place. */
export class WrongAddressError extends SlipstreamError {
  readonly rightAddress: string;

  constructor(error: SlipstreamError, explanation: Explanation, rightAddress: string) {
    super(error.code, explanation, { cause: error, detail: error.message });
    this.rightAddress = rightAddress;
  }
}
