/** One figure of the benchmarks. Its name is stable: it is quoted in reports. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** The target in words, such as "≤ 250". */
  readonly target: string;
  measure(): Promise<Measurement>;
}

export interface Measurement {
  readonly value: number;
  /** A figure without a target of its own yet is met when it could be measured. */
  readonly met: boolean;
  /** What else belongs to the figure: spread, comparison, conditions. */
  readonly note: string;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The value below which such a part of the values (0 to 1) lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
