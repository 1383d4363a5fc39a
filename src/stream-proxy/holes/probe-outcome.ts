import type { Fill } from '../../media/fill-types.ts';
import type { SourceFailure } from '../policy/failure.ts';

/** What has become of a place that was looked into. */
export type ProbeOutcome =
  | { readonly fill: Fill }
  | Unfillable
  /** Nothing proves that the bytes are missing for good. */
  | 'late';

/** Bytes that cannot be had, and may not be filled. */
export interface Unfillable {
  readonly refused: string;
  readonly last: number;
  /** It is not looked into again. */
  readonly lasting: boolean;
  readonly failure: SourceFailure;
}

/** What a look into a place that failed of itself comes to. */
export const failedProbe = (error: unknown, last: number, failure: SourceFailure): Unfillable => {
  const refused = error instanceof Error ? error.message : String(error);
  return { refused, last, lasting: false, failure };
};
