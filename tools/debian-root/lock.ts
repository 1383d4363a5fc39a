import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Runs `task` while holding an exclusive lock on `path`, after waiting for whoever holds it. The kernel owns the lock
 * (flock(1) with a child that reads our pipe), so it is free again the moment this process is gone, however it went.
 */
export async function withLock<T>(path: string, task: () => Promise<T>): Promise<T> {
  const holder = spawn('flock', ['--exclusive', path, 'sh', '-c', 'echo held; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(holder, 'close');
  try {
    const [answer] = (await Promise.race([once(holder.stdout, 'data'), ended])) as [unknown];
    if (!Buffer.isBuffer(answer)) throw new Error(`The lock ${path} could not be taken.`);
    return await task();
  } finally {
    holder.stdin.end();
    await ended;
  }
}
