import { threadOf, timeOf } from '../log-line.ts';
import { BEGUN } from './marks.ts';

/** Kodi's last words before it aborts itself, and its first about a script of ours. */
const ABORT = 'Logic error due to two concurrent busydialogs';
const STARTS = /plugin\.video\.slipstream.*: start processing/;

/** How Kodi has ended by itself, or has stopped to answer. */
export interface Ending {
  /** Its exit status, 128 and more for a signal; absent when it runs and does not answer. */
  readonly status?: number;
  /** The line of its log that tells why, or else the last one. */
  readonly line: string;
  /** Milliseconds from the start of the last script to that line. */
  readonly after: number;
  /** Whether that script had come to our first line by then; without the line of an abort it is ours as well. */
  readonly ours: boolean;
}

/** Judges an end of Kodi by its log: it is none of ours when Python had not even begun to run what was called last. */
export function judgeEnding(exit: number | undefined, log: string): Ending {
  const status = exit === undefined ? {} : { status: exit };
  const lines = log.split('\n');
  const end = lines.findIndex((line) => line.includes(ABORT));
  const line = lines[end];
  if (line === undefined)
    return { ...status, line: log.trimEnd().split('\n').at(-1) ?? '', after: 0, ours: true };
  const start = lines.slice(0, end).findLastIndex((each) => STARTS.test(each));
  const call = lines[start];
  if (call === undefined) return { ...status, line, after: 0, ours: true };
  const hasBegun = lines
    .slice(start, end)
    .some((each) => each.includes(BEGUN) && threadOf(each) === threadOf(call));
  return { ...status, line, after: timeOf(line) - timeOf(call), ours: hasBegun };
}
