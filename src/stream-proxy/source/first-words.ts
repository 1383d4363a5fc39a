import { deadlineSignal } from '../../io/wait.ts';
import type { Body, Sink } from './http1/types.ts';

/** Milliseconds, and bytes of a refusal that are read. */
const TIME = 5_000;
const MAX_WORDS = 4096;

/** The beginning of a refusal's body, as far as it comes soon; ends the body. */
export async function firstWords(body: Body, signal: AbortSignal): Promise<string> {
  const bytes = Buffer.alloc(MAX_WORDS);
  let have = 0;
  await new Promise<void>((resolve) => {
    const time = deadlineSignal(signal, TIME, () => new Error('no words'));
    const done = () => {
      time.done();
      resolve();
    };
    const sink: Sink = {
      room: () => (have < MAX_WORDS ? bytes.subarray(have) : undefined),
      filled: (count) => {
        have += count;
        if (have === MAX_WORDS) done();
      },
      end: done,
    };
    time.signal.addEventListener('abort', done, { once: true });
    body.flow(sink);
  });
  body.close();
  return bytes.toString('utf8', 0, have);
}
