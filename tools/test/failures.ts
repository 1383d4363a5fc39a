import { relative } from 'node:path';

/** What we read of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    /** The file's absolute path. */
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** The failed tests of one run by name, "test/io/wait.test.ts > pause > ends at its abort"; `root` is the project's folder. */
export function failuresOf(report: string | undefined, root: string): string[] {
  if (report === undefined) return ['(a run that left no report)'];
  return (JSON.parse(report) as Report).testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that fails with no failed test of its own could not be loaded, or a hook of it failed.
    if (failed.length === 0) return file.status === 'failed' ? [`${path} (the file itself)`] : [];
    return failed.map((test) => [path, ...test.ancestorTitles, test.title].join(' > '));
  });
}

/** The list before the closing line, so that the end of a long log tells what failed. */
export function failureList(failures: readonly string[]): string {
  return failures.length === 0 ? '' : ['\nFailed:', ...failures.map((name) => `  ${name}`)].join('\n');
}
