import type { Candidate, Release } from '../../model/index.ts';
import { matchFormats } from '../formats/match.ts';
import { Budget } from '../pattern/capped.ts';
import type { Preferences } from '../preferences.ts';
import { bitrateOf, type RequestFacts } from '../running-time.ts';
import { groupRule } from './group-rule.ts';
import { languageRule } from './language-rule.ts';
import { ageRule, densityRule, grabsRule, protectedRule, sizeRule } from './limit-rules.ts';
import {
  audioRule,
  codecRule,
  discRule,
  hdrRule,
  resolutionRule,
  sourceRule,
  threeDRule,
  upscaledRule,
} from './quality-rules.ts';
import type { Rule, RuleInput } from './rule.ts';
import { matchWords } from './word-rules.ts';

interface FilterOptions extends RequestFacts {
  /** Milliseconds since the epoch, for the age. */
  readonly now?: number;
  /** Told what of the preferences could not be followed for this list, in words for the person. */
  readonly report?: (problem: string) => void;
}

/** In this order; the first reason is the one that is shown. Words stand between languages and groups. */
const BEFORE_WORDS: readonly Rule[] = [
  discRule,
  resolutionRule,
  sourceRule,
  hdrRule,
  audioRule,
  codecRule,
  languageRule,
];
const BEHIND_WORDS: readonly Rule[] = [
  groupRule,
  sizeRule,
  densityRule,
  ageRule,
  protectedRule,
  grabsRule,
  threeDRule,
  upscaledRule,
];

/**
 * Looks at every release with the person's preferences. Nothing is dropped, and the order stays: a rejected release
 * keeps all reasons, the weightiest first. What is not known breaks no limit; a name that does not say what a
 * vocabulary asks for has a switch of its own there. Also gives each its bitrate and what the custom formats say.
 */
export function filterReleases(
  releases: readonly Release[],
  preferences: Preferences,
  { now = Date.now(), report, ...facts }: FilterOptions = {},
): Candidate[] {
  // All patterns of one list share their time.
  const budget = new Budget();
  const words = matchWords(releases, preferences, budget, report);
  const formats = matchFormats(releases, preferences.formats, {
    ...facts,
    budget,
    ...(report && { report }),
  });
  return releases.map((release, index) => {
    const subject = { release, preferences, facts, now };
    const { names = [], score = 0 } = formats[index] ?? {};
    const bitrate = bitrateOf(release, facts);
    return {
      release,
      rejections: [
        ...reasons(BEFORE_WORDS, subject),
        ...(words[index] ?? []),
        ...reasons(BEHIND_WORDS, subject),
        ...scoreReasons(score, preferences),
      ],
      ...(bitrate !== undefined && { bitrate }),
      formats: names,
      score,
    };
  });
}

function reasons(rules: readonly Rule[], subject: RuleInput): string[] {
  const found: string[] = [];
  for (const rule of rules) {
    const reason = rule(subject);
    if (reason !== undefined) found.push(reason);
  }
  return found;
}

function scoreReasons(score: number, { minScore }: Preferences): string[] {
  return minScore !== undefined && score < minScore
    ? [`Fewer than ${minScore} points of custom formats`]
    : [];
}
