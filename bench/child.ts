import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A process of this folder's that serves on loopback. */
export interface Child {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the process has ended. */
  stop(): Promise<void>;
}

/** Starts a script of this folder; it says its port as the first line of stdout. @throws Error when it ends before. */
export async function startChild(script: string, ...args: readonly string[]): Promise<Child> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
  const port = Number(line[0]);
  if (!hasPid(child) || !isRunning(child)) throw new Error(`${script} has not started`);
  return {
    pid: child.pid,
    port,
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const hasPid = (child: ChildProcess): child is ChildProcess & { pid: number } => child.pid !== undefined;
const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;
