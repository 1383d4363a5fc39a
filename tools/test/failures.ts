import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What we read of vitest's JSON report. */
interface Report {
  readonly testResults: readonly {
    /** The file's absolute path. */
    readonly name: string;
    readonly status: string;
    /** Why the file itself failed, when it did. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** One failed test. */
export interface Failure {
  /** "test/io/wait.test.ts > pause > ends at its abort" */
  readonly name: string;
  /** The first lines of what it threw, and where; it may be empty. */
  readonly why: readonly string[];
}

const MAX_LINES = 12;
const MAX_LINE = 300;

/** The failed tests of one run; `root` is the project's folder. */
export function failuresOf(report: string | undefined, root: string): Failure[] {
  if (report === undefined) return [{ name: '(a run that left no report)', why: [] }];
  return (JSON.parse(report) as Report).testResults.flatMap((file) => {
    const path = relative(root, file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    // A file that fails with no failed test of its own could not be loaded, or a hook of it failed.
    if (failed.length === 0)
      return file.status === 'failed'
        ? [{ name: `${path} (the file itself)`, why: linesOf(file.message ?? '', root) }]
        : [];
    return failed.map((test) => ({
      name: [path, ...test.ancestorTitles, test.title].join(' > '),
      why: (test.failureMessages ?? []).flatMap((message) => linesOf(message, root)),
    }));
  });
}

/** The beginning of a message, and of its stack the lines within our tests. */
function linesOf(message: string, root: string): string[] {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const isCall = (line: string) => /^\s*at\s/.test(line);
  const said = lines.filter((line) => !isCall(line)).slice(0, MAX_LINES);
  const calls = lines.filter((line) => isCall(line) && line.includes(`${root}/test/`));
  return [...said, ...calls].map((line) => line.replaceAll(`${root}/`, '').slice(0, MAX_LINE));
}

/** The list before the closing line, so that the end of a long log tells what failed, and why. */
export function failureList(failures: readonly Failure[]): string {
  if (failures.length === 0) return '';
  const told = failures.flatMap(({ name, why }) => [`  ${name}`, ...why.map((line) => `      ${line}`)]);
  return ['\nFailed:', ...told].join('\n');
}
