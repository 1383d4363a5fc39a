import type { Rule } from 'eslint';

export declare const TIMES_OF_DAY: Readonly<Record<string, number>>;
export declare function timesOfDay(root: string, list?: Readonly<Record<string, number>>): Rule.RuleModule;
