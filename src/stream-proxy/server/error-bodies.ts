import type { ErrorBody } from './responses.ts';

// What the server refuses before any stage has seen it, in words.

const PLAY_AGAIN = 'Start the playback again.';

export const FOREIGN_HOST: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'The request is meant for another host.',
  next: 'Use the address exactly as Slipstream gave it.',
};
export const SEVERAL_HOSTS: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'The request names several hosts.',
  next: 'Use the address exactly as Slipstream gave it.',
};
export const PATH_NOT_ENCODED: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'The path of the request is not percent-encoded.',
  next: 'Use the address exactly as Slipstream gave it.',
};
export const TOO_MANY_CONNECTIONS: ErrorBody = {
  code: 'BUSY',
  what: 'Too many connections to the local proxy are in use.',
  next: 'Stop what else plays from it.',
};
export const NO_TOKEN: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'The request does not carry the token of this proxy.',
  next: PLAY_AGAIN,
};
export const NO_SUCH_STREAM: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'This stream has ended, or never was.',
  next: PLAY_AGAIN,
};
export const NO_HLS: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'This proxy serves no HLS.',
  next: 'Use the stream address.',
};
export const NO_SUCH_PATH: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'The proxy serves nothing at this path.',
  next: PLAY_AGAIN,
};
export const WRONG_METHOD: ErrorBody = {
  code: 'INVALID_REQUEST',
  what: 'The proxy does not take this method here.',
  next: PLAY_AGAIN,
};
