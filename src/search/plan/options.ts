export interface PlanOptions {
  /** Whether whole seasons are wanted beside the episode. */
  readonly packs?: boolean;
}
