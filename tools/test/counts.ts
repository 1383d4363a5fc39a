export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The closing line of npm test. */
export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** What we read of vitest's JSON report. */
interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/**
 * The counts of one run. A file that could not even be loaded counts as one failed test, tests that never ran (their
 * process died) count as failed, and so does a run that ended badly although no test failed.
 */
export function countsOf(report: string | undefined, status: number): Counts {
  if (report === undefined) return { ...NONE, failed: 1 };
  const read = JSON.parse(report) as Report;
  const unloaded = read.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const skipped = read.numPendingTests + read.numTodoTests;
  const neverRan = read.numTotalTests - read.numPassedTests - read.numFailedTests - skipped;
  const failed = read.numFailedTests + unloaded + neverRan;
  return {
    passed: read.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped,
  };
}
