// What a process uses, as Linux tells it (proc(5)).
import { readdir, readFile, writeFile } from 'node:fs/promises';

/** Per second, on every Linux that Node runs on (sysconf _SC_CLK_TCK). */
const TICKS = 100;
const KIB = 1024;

/** Seconds of processor time, in the process itself and for it in the kernel, since its start. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may hold anything; the fields after it begin with the third, and these are 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The same by the scheduler's own clock, to the nanosecond, of all threads that live now (proc's schedstat). */
export async function scheduledSeconds(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')),
  );
  return stats.reduce((sum, stat) => sum + Number(stat.split(' ')[0]), 0) / 1e9;
}

/** Bytes in memory now. */
export const resident = (pid: number): Promise<number> => statusField(pid, 'VmRSS');

/** The most bytes in memory since the start, or since the peak was forgotten. */
export const peakResident = (pid: number): Promise<number> => statusField(pid, 'VmHWM');

export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

async function statusField(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kib === undefined) throw new Error(`/proc/${pid}/status tells no ${name}`);
  return Number(kib) * KIB;
}
