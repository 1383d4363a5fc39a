export interface QueryOptions {
  /** Whether whole seasons are wanted beside the episode. */
  readonly seasonPacks?: boolean;
}
