/** What we read of vitest's JSON report. */
interface Report {
  readonly testResults: readonly FileResult[];
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** killed: every named test went red. survived: one stayed green. broken: the trial itself tells nothing. */
export interface Verdict {
  readonly kind: 'killed' | 'survived' | 'broken';
  /** Which test stayed green, or why the trial tells nothing. */
  readonly reason?: string;
}

/** "test/a.test.ts > part of a name" in its two parts. */
export function parseTest(test: string): { readonly file: string; readonly part: string } {
  const [file = '', ...rest] = test.split(' > ');
  return { file: file.trim(), part: rest.join(' > ').trim() };
}

/** Judges a mutated run: every one of `tests` must have failed, by a test that ran and not by code that cannot load. */
export function judgeRun(tests: readonly string[], report: string | undefined): Verdict {
  if (report === undefined) return { kind: 'broken', reason: 'the run left no report' };
  const files = (JSON.parse(report) as Report).testResults;
  for (const test of tests) {
    const { file, part } = parseTest(test);
    const result = files.find(({ name }) => name.replaceAll('\\', '/').endsWith(`/${file}`));
    if (result === undefined) return { kind: 'broken', reason: `${file} did not run` };
    const matching = result.assertionResults.filter(({ fullName }) => fullName.includes(part));
    if (matching.length === 0) return { kind: 'broken', reason: `no test loaded for: ${test}` };
    if (!matching.some(({ status }) => status === 'failed')) return { kind: 'survived', reason: test };
  }
  return { kind: 'killed' };
}

/** Judges the run without any mutant: everything must have been green. Gives the first fault, or undefined. */
export function baselineFault(status: number, report: string | undefined): string | undefined {
  if (report === undefined) return 'the run left no report';
  const bad = (JSON.parse(report) as Report).testResults.find((file) => file.status === 'failed');
  if (bad !== undefined) return `${bad.name} fails without any mutant`;
  return status === 0 ? undefined : 'the tests end badly without any mutant';
}
