import { connect, type Socket } from 'node:net';
import { unlessAborted } from '../../../io/wait.ts';

/** What came back: bytes for a verdict, or the code of what the connection met. */
export type TcpReply =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'failed'; readonly code: string };

/** More than the beginning of an answer nobody needs. */
const MAX_BYTES = 4_096;

/**
 * Opens a TCP connection, says one thing, and listens until `length` bytes have come or the other side ends.
 * The connection is closed on every path. Rejects only with the signal's reason.
 */
export async function exchange(
  { host, port }: { readonly host: string; readonly port: number },
  question: Uint8Array,
  length: number,
  signal: AbortSignal,
): Promise<TcpReply> {
  signal.throwIfAborted();
  const socket = connect({ host, port });
  try {
    return await unlessAborted(replyOf(socket, question, Math.min(length, MAX_BYTES)), signal);
  } finally {
    socket.destroy();
  }
}

function replyOf(socket: Socket, question: Uint8Array, length: number): Promise<TcpReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => {
      resolve({ kind: 'bytes', bytes: Buffer.concat(chunks) });
    };
    socket.once('connect', () => socket.write(question));
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= length) finish();
    });
    socket.once('end', finish);
    // Stays after the verdict: a socket that is destroyed may yet report what it met.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ kind: 'failed', code: error.code ?? error.message });
    });
  });
}
