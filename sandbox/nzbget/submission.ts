export interface Submission {
  /** With ".nzb". */
  readonly filename: string;
  readonly nzb: string;
  readonly category: string;
  readonly priority: number;
  readonly dupeKey: string;
  readonly dupeScore: number;
  readonly dupeMode: string;
  /** Of its post-processing, by name. */
  readonly parameters: ReadonlyMap<string, string>;
}
