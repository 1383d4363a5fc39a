import type { SlipstreamError } from '../errors/index.ts';
import type { Rest } from './rest.ts';

/** Why a source is not asked: it rests until a time, or stays as it is until a person does something. */
export type Standing =
  | { readonly kind: 'rests'; readonly rest: Rest }
  | { readonly kind: 'failed'; readonly failure: SlipstreamError };

/**
 * The source is not to be asked. Nothing of it is remembered as a failure: it is our own rest of it, or its manager's,
 * which tells anew at each search.
 */
export class StandingError extends Error {
  readonly standing: Standing;

  constructor(standing: Standing) {
    super(standing.kind === 'rests' ? 'resting' : standing.failure.message);
    this.name = 'StandingError';
    this.standing = standing;
  }
}
