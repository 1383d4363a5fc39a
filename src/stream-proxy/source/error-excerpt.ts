import { deadlineSignal } from '../../io/wait.ts';
import type { BodySink, ResponseBody } from './http1/types.ts';

/** Milliseconds, and bytes of a refusal that are read. */
const TIMEOUT = 5_000;
const MAX_BYTES = 4096;

/** The beginning of a refusal's body, as far as it comes soon; ends the body. */
export async function readErrorExcerpt(body: ResponseBody, signal: AbortSignal): Promise<string> {
  const bytes = Buffer.alloc(MAX_BYTES);
  let have = 0;
  await new Promise<void>((resolve) => {
    const time = deadlineSignal(signal, TIMEOUT, () => new Error('no words'));
    const done = () => {
      time.done();
      resolve();
    };
    const sink: BodySink = {
      room: () => (have < MAX_BYTES ? bytes.subarray(have) : undefined),
      filled: (count) => {
        have += count;
        if (have === MAX_BYTES) done();
      },
      end: done,
    };
    time.signal.addEventListener('abort', done, { once: true });
    body.flow(sink);
  });
  body.close();
  return bytes.toString('utf8', 0, have);
}
