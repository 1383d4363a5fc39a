import { randomBytes, randomInt } from 'node:crypto';
import { isSameSecret } from '../../io/hash.ts';
import { registerSecret } from '../../log/index.ts';

/** Wrong codes in all, whoever sent them: five of a million are no way in. */
const MAX_TRIES = 5;
const DIGITS = 6;
/** Bytes of a token: 256 random bits. */
const TOKEN_BYTES = 32;

export type Exchange =
  | { readonly kind: 'paired'; readonly token: string }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** The code is worth nothing any more: it was used, or there were too many wrong ones. */
  | { readonly kind: 'spent' };

/**
 * The way from the code on the TV to the one phone that may write. The code is good for one exchange; what the phone
 * gets for it goes along with each of its requests.
 */
export class Pairing {
  readonly code: string = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  #triesLeft = MAX_TRIES;
  #token: string | undefined;

  constructor() {
    registerSecret(this.code);
  }

  /** Whether every try was wrong, so that nothing more can come of it. */
  get isLocked(): boolean {
    return this.#token === undefined && this.#triesLeft === 0;
  }

  exchange(code: string): Exchange {
    if (this.#token !== undefined || this.isLocked) return { kind: 'spent' };
    if (!isSameSecret(code.replace(/\s/g, ''), this.code)) {
      this.#triesLeft--;
      return { kind: 'wrong', triesLeft: this.#triesLeft };
    }
    this.#token = randomBytes(TOKEN_BYTES).toString('base64url');
    registerSecret(this.#token);
    return { kind: 'paired', token: this.#token };
  }

  /** Whether it is the phone's `Authorization` (RFC 6750 §2.1). Takes equally long whatever it holds. */
  accepts(authorization: string | undefined): boolean {
    const given = /^Bearer ([\w-]+)$/.exec(authorization ?? '')?.[1] ?? '';
    return isSameSecret(given, this.#token ?? '') && this.#token !== undefined;
  }
}
