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

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
