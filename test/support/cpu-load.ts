import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { execPath, pid } from 'node:process';
import { onTestFinished } from 'vitest';

/** Works without a pause, and ends with the process whose id it is given, its parent, even when that one is killed. */
export const SPIN = 'const parent = Number(process.argv[1]); while (process.ppid === parent);';

/** Keeps each core that we may use busy with that many processes, pinned to it, until the test ends. Gives their ids. */
export async function loadCores(perCore: number): Promise<number[]> {
  const cores = coresOf('self');
  return Promise.all(cores.flatMap((core) => Array.from({ length: perCore }, () => spinOn(core))));
}

/** The cores that a process may use; Linux lists them as "0-3,6". */
export function coresOf(process: number | 'self'): number[] {
  const status = readFileSync(`/proc/${process}/status`, 'utf8');
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

async function spinOn(core: number): Promise<number> {
  const spin = [execPath, '-e', SPIN, String(pid)];
  const child = spawn('taskset', ['-c', String(core), ...spin], { stdio: 'ignore' });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await once(child, 'spawn');
  return child.pid ?? 0;
}
