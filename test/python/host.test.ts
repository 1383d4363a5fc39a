import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const NAMES = ['python3', ...[8, 9, 10, 11, 12, 13, 14].map((minor) => `python3.${minor}`)];
const PRINT_VERSION = 'import sys; print("%d.%d" % sys.version_info[:2])';

/** Every file that could be a Python: on the PATH, and of pyenv. */
function candidates(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const versions = join(homedir(), '.pyenv', 'versions');
  const pyenv = existsSync(versions) ? readdirSync(versions).map((name) => join(versions, name, 'bin')) : [];
  return [...pyenv, ...folders]
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .filter((path) => existsSync(path));
}

/** One Python of each version from 3.8 on. */
async function pythons(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of candidates()) {
    const version = await run(path, ['-c', PRINT_VERSION]).then(
      ({ stdout }) => stdout.trim(),
      () => '', // A shim that points nowhere.
    );
    const [major, minor] = version.split('.').map(Number);
    if (major === 3 && minor !== undefined && minor >= 8 && !found.has(version)) found.set(version, path);
  }
  return found;
}

const found = await pythons();
if (found.size === 0) {
  const line = 'Skipped: the Python host. There is no Python 3.8 or newer here.';
  if (process.env['CI'] === 'true') throw new Error(line);
  console.warn(line);
} else if (!found.has('3.8')) {
  console.warn(
    `The Python host is not tried on 3.8, the oldest it must run on: only on ${[...found.keys()].join(', ')}.`,
  );
}

/** By minor version; a mutant is tried on the first. */
const rows = [...found]
  .sort(([a], [b]) => Number(a.slice(2)) - Number(b.slice(2)))
  .map(([version, path], index) => [index === 0 ? `${version}, the oldest here` : version, path] as const);

describe.skipIf(found.size === 0)('the Python host', () => {
  test.concurrent.each(rows)(
    'keeps its promises on Python %s',
    async (_, path) => {
      const suite = ['-B', '-W', 'error::ResourceWarning', '-m', 'unittest', 'discover', '-p', 'test_*.py'];
      const outcome = await run(path, suite, { cwd: import.meta.dirname }).catch((error: unknown) => error);
      expect(outcome).toMatchObject({ stderr: expect.stringMatching(/\nOK\n$/) as string });
      // All of them at once: half a minute of a core for each. One that hangs ends itself (support.py).
    },
    400_000,
  );
});
