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
  if (outer.pid === undefined) return [];
  const namespace = attempt(() => readlinkSync(`/proc/${String(outer.pid)}/ns/pid_for_children`));
  if (namespace === undefined) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => attempt(() => inspect(name, namespace)) ?? []);
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
