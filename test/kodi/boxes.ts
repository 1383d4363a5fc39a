import { timeOf } from './log-line.ts';

/** Kodi's boxes with words and buttons, as its log at debug level tells of them. */
const OPENS = 'Window Init (DialogConfirm.xml)';
const CLOSES = 'Window Deinit (DialogConfirm.xml)';

/** For how long each box of Kodi's own was up, in milliseconds and in their order; Infinity for one that is still up. */
export function boxesIn(log: string): number[] {
  const boxes: number[] = [];
  let since: number | undefined;
  for (const line of log.split('\n')) {
    if (line.includes(OPENS)) since = timeOf(line);
    if (since === undefined || !line.includes(CLOSES)) continue;
    boxes.push(timeOf(line) - since);
    since = undefined;
  }
  return since === undefined ? boxes : [...boxes, Infinity];
}
