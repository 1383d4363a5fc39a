import { expect } from 'vitest';
import type { ResponseBody } from '../../../../src/stream-proxy/source/http1/types.ts';

/** What a sink does when it is asked for room. */
export type Room = number | 'later' | 'at once' | 'after this';

/**
 * Takes a whole body. The plan says, room for room and then from its beginning, how large each is, or that there is
 * none and when `resume` follows: in a later turn, while still being asked, or when this turn's work is done. Rejects
 * with the body's failure.
 */
export function collect(body: ResponseBody, plan: readonly Room[] = [65_536]): Promise<Buffer> {
  const parts: Buffer[] = [];
  let room: Buffer | undefined;
  let asked = 0;
  let waiting = false;
  const resume = () => {
    waiting = false;
    body.resume();
  };
  return new Promise((resolve, reject) => {
    body.flow({
      room: () => {
        if (waiting) throw new Error('asked for room while there was none');
        if (room !== undefined) throw new Error('asked for room twice');
        const step = plan[asked++ % plan.length] ?? 65_536;
        if (typeof step === 'number') return (room = Buffer.alloc(step));
        waiting = true;
        if (step === 'later') setImmediate(resume);
        else if (step === 'after this') queueMicrotask(resume);
        else resume();
        return undefined;
      },
      filled: (bytes) => {
        if (room === undefined || bytes < 1 || bytes > room.length)
          throw new Error('filled what was not given');
        parts.push(room.subarray(0, bytes));
        room = undefined;
        // Nothing may come of a call that tells nothing new.
        if (asked % 3 === 0) body.resume();
      },
      end: (failure) => {
        if (failure === undefined) resolve(Buffer.concat(parts));
        else reject(failure);
      },
    });
  });
}

/** Bytes that are different at nearby places. */
export function pattern(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = (at * 31 + (at >> 8) * 7 + (at >> 16)) & 0xff;
  return bytes;
}

export const never = (): AbortSignal => new AbortController().signal;

/** Looks again and again, for as long as a busy machine may need. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 15_000, interval: 10 });
