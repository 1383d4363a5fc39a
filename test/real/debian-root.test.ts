import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  exitStatus,
  processesInside,
  rootOrSkip,
  runInRoot,
  spawnInRoot,
} from '../../tools/debian-root/index.ts';

const root = await rootOrSkip('the Debian root');

describe.skipIf(!root)('commands in the Debian root', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipstream-root-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('passes input, output and only the environment that was given', async () => {
    const { stdout } = await runInRoot(root!, ['sh', '-c', 'cat; env | cut -d= -f1 | sort | tr "\\n" " "'], {
      input: 'hello ',
      env: { WORD: 'x' },
    });
    expect(stdout.toString()).toBe('hello HOME LC_ALL PATH PWD TMPDIR WORD ');
  });

  it('says what a command that failed wrote', async () => {
    await expect(runInRoot(root!, ['sh', '-c', 'echo broken >&2; exit 3'])).rejects.toThrow(
      'ended with 3: broken',
    );
  });

  it('shows what is bound, writable only where it may be, and forgets everything else', async () => {
    writeFileSync(join(folder, 'seen'), 'from the host');
    const script =
      'cat /ro/seen; echo back >$1/made; touch /etc/changed; touch /ro/no 2>/dev/null || echo " refused"';
    const { stdout } = await runInRoot(root!, ['sh', '-c', script, 'sh', folder], {
      binds: [{ from: folder }, { from: folder, to: '/ro', readOnly: true }],
    });
    expect(stdout.toString()).toBe('from the host refused\n');
    expect(readFileSync(join(folder, 'made'), 'utf8')).toBe('back\n');
    expect(existsSync(join(root!.paths.fs, 'etc/changed'))).toBe(false);
  });

  it('ends everything inside when its outer end is killed', async () => {
    const abort = new AbortController();
    const outer = spawnInRoot(root!, ['sh', '-c', '(sleep 1000 &) ; echo up; sleep 1000'], {
      signal: abort.signal,
    });
    await new Promise((resolve) => outer.stdout?.once('data', resolve));
    const inside = processesInside(outer);
    expect(inside.map(({ command }) => command)).toContain('sleep 1000');
    abort.abort();
    await exitStatus(outer);
    expect(inside.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });
});

/** A zombie that nobody has reaped is dead. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
