import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

/** Hears one line; undefined when the input has ended without another one. */
type OnLine = (line: string | undefined) => void;

/**
 * Reads one line, and leaves what follows it in the stream: a script gives all its answers at once.
 * @returns what stops the reading
 */
export function readLine(input: Readable, hear: OnLine): () => void {
  let read = Buffer.alloc(0);
  const stop = () => {
    input.off('data', take);
    input.off('end', end);
    input.pause();
  };
  const take = (chunk: Buffer | string) => {
    read = Buffer.concat([read, typeof chunk === 'string' ? Buffer.from(chunk) : chunk]);
    const at = read.indexOf(NEWLINE);
    if (at < 0) return;
    stop();
    const rest = read.subarray(at + 1);
    if (rest.length > 0) input.unshift(rest);
    hear(read.toString('utf8', 0, at));
  };
  const end = () => {
    stop();
    hear(read.length === 0 ? undefined : read.toString('utf8'));
  };
  if (input.readableEnded) {
    hear(undefined);
    return () => undefined;
  }
  input.on('data', take);
  input.once('end', end);
  input.resume();
  return stop;
}
