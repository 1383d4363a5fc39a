import type { SlipstreamError } from '../../errors/index.ts';
import type { Cooldown } from '../run/cooldown.ts';

/** Why a source is not asked: it rests until a time, or stays as it is until a person does something. */
export type Unavailability =
  | { readonly kind: 'rests'; readonly rest: Cooldown }
  | { readonly kind: 'failed'; readonly failure: SlipstreamError };

/**
 * The source is not to be asked. Nothing of it is remembered as a failure: it is our own rest of it, or its manager's,
 * which tells anew at each search.
 */
export class SourceUnavailableError extends Error {
  readonly unavailability: Unavailability;

  constructor(standing: Unavailability) {
    super(standing.kind === 'rests' ? 'resting' : standing.failure.message);
    this.name = 'SourceUnavailableError';
    this.unavailability = standing;
  }
}
