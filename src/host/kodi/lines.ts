import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

export interface LineHandlers {
  onLine(line: string): void;
  /** A line was longer than allowed and is skipped; called once for it. */
  onTooLong(): void;
  /** The input has ended, failed or been closed; nothing is called after this. */
  onEnd(): void;
}

/**
 * Reads lines of UTF-8 of at most `maxBytes`; of a longer one nothing is kept. Only "\n" ends a line: JSON may hold
 * U+2028 as it is, at which readline would break it.
 * @returns what stops reading
 */
export function readLines(input: Readable, maxBytes: number, handlers: LineHandlers): () => void {
  let parts: Buffer[] = [];
  let size = 0;
  let ended = false;

  const keep = (part: Buffer) => {
    const before = size;
    size += part.length;
    if (size <= maxBytes) parts.push(part);
    else if (before <= maxBytes) {
      parts = [];
      handlers.onTooLong();
    }
  };
  const finish = () => {
    const line = size <= maxBytes ? Buffer.concat(parts).toString('utf8') : undefined;
    parts = [];
    size = 0;
    if (line !== undefined) handlers.onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  const onData = (chunk: Buffer | string) => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0 && !ended; end = bytes.indexOf(NEWLINE, start)) {
      keep(bytes.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (!ended && start < bytes.length) keep(bytes.subarray(start));
  };
  const end = () => {
    if (ended) return;
    ended = true;
    handlers.onEnd();
  };
  const onLast = () => {
    if (!ended && size > 0) finish();
    end();
  };

  input.on('data', onData);
  input.on('end', onLast);
  input.on('close', end);
  // A pipe that fails is a host that is gone.
  input.on('error', end);
  return end;
}
