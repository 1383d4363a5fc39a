// Kodi's log: "2026-11-24 02:14:16.702 T:157     debug <general>: ...", where T is the thread.

/** Milliseconds since the epoch; NaN where a line does not begin with its time. */
export function timeOf(line: string): number {
  const [, day = '', time = ''] = /^(\S+) (\S+)/.exec(line) ?? [];
  return Date.parse(`${day}T${time}Z`);
}

/** A script runs on one thread. */
export const threadOf = (line: string): string | undefined => /\bT:(\d+)/.exec(line)?.[1];
