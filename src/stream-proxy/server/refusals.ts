import type { Refusal } from './answer.ts';

/** What the server refuses before any stage has seen it, in words. */

const PLAY_AGAIN = 'Start the playback again.';

export const FOREIGN_HOST: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The request is meant for another host.',
  next: 'Use the address exactly as Slipstream gave it.',
};
export const SEVERAL_HOSTS: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The request names several hosts.',
  next: 'Use the address exactly as Slipstream gave it.',
};
export const NOT_ENCODED: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The path of the request is not percent-encoded.',
  next: 'Use the address exactly as Slipstream gave it.',
};
export const CROWDED: Refusal = {
  code: 'BUSY',
  what: 'Too many connections to the local proxy are in use.',
  next: 'Stop what else plays from it.',
};
export const NO_TOKEN: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The request does not carry the token of this proxy.',
  next: PLAY_AGAIN,
};
export const NO_SUCH_STREAM: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'This stream has ended, or never was.',
  next: PLAY_AGAIN,
};
export const NO_HLS: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'This proxy serves no HLS.',
  next: 'Use the stream address.',
};
export const NO_SUCH_PATH: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The proxy serves nothing at this path.',
  next: PLAY_AGAIN,
};
export const WRONG_METHOD: Refusal = {
  code: 'INVALID_REQUEST',
  what: 'The proxy does not take this method here.',
  next: PLAY_AGAIN,
};
