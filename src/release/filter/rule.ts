import type { Release } from '../../model/index.ts';
import type { Preferences } from '../preferences.ts';
import type { RequestFacts } from '../running-time.ts';

/** One release, and everything that it is held against. */
export interface RuleInput {
  readonly release: Release;
  readonly preferences: Preferences;
  readonly facts: RequestFacts;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Gives its reason for a rejection, in words for the person; undefined: it passes. */
export type Rule = (subject: RuleInput) => string | undefined;
