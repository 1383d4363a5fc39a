import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface InnerProcess {
  /** Its id on the host, for process.kill. */
  readonly pid: number;
  /** Its id inside the namespace. */
  readonly inner: number;
  readonly command: string;
}

/** All processes that live in the namespace which `spawnInRoot` made, straight from /proc; zombies are left out. */
export function processesInside(outer: ChildProcess): InnerProcess[] {
  const namespace = attempt(() => readlinkSync(`/proc/${String(outer.pid)}/ns/pid_for_children`));
  // Until it has made the namespace, its children's would be our own.
  const ours = attempt(() => readlinkSync('/proc/self/ns/pid'));
  if (namespace === undefined || namespace === ours) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => attempt(() => inspect(name, namespace)) ?? []);
}

/**
 * Ends all processes in the namespace, hard. Its PID 1 goes last and the outer end after it: once that has closed,
 * nothing is left. Killing the outer end alone works as well, but then the rest dies a little later.
 */
export function killInside(outer: ChildProcess): void {
  const init = processesInside(outer).find(({ inner }) => inner === 1);
  if (!init || !attempt(() => process.kill(init.pid, 'SIGKILL'))) outer.kill('SIGKILL');
}

function inspect(pid: string, namespace: string): InnerProcess[] {
  if (readlinkSync(`/proc/${pid}/ns/pid`) !== namespace) return [];
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  if (/^State:\s+[ZX]/m.test(status)) return [];
  const inner = Number(/^NSpid:.*\s(\d+)$/m.exec(status)?.[1]);
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  return [{ pid: Number(pid), inner, command }];
}

/** Processes come and go while /proc is read. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
