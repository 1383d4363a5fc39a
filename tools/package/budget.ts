import type { Zipped } from './catalogue.ts';

/** The committed limits of the zips (size-budget.json, "packages"), in bytes, by the folder that each lies in. */
export type PackageBudgets = Readonly<Record<string, number>>;

/** @throws Error naming the first zip that is larger than was decided, or that nobody has decided about. */
export function assertWithinBudgets(packages: readonly Zipped[], budgets: PackageBudgets): void {
  for (const { folder, zip } of packages) {
    const limit = budgets[folder];
    if (limit === undefined) throw new Error(`size-budget.json has no line for ${folder}`);
    if (zip.length > limit)
      throw new Error(
        `the zip of ${folder} has ${zip.length} bytes, more than the ${limit} that size-budget.json allows`,
      );
  }
}
