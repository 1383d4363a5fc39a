import type { Rule } from './rule.ts';

/** Who names no group is nobody that could be excluded. */
export const groupRule: Rule = ({ release: { quality }, preferences: { excludedGroups } }) =>
  quality.group !== undefined && excludedGroups.has(quality.group.toLowerCase())
    ? `The group ${quality.group} is excluded`
    : undefined;
