import { connect } from 'node:net';
import { deadlineSignal } from '../../io/wait.ts';

/** Milliseconds. A machine of the same network answers in a few; a sleeping Wi-Fi in some hundred. */
const CONNECT_TIMEOUT_MS = 500;

/** Whether something takes connections there. Nothing is sent. Rejects only when the signal aborts. */
export async function isPortOpen(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const limit = deadlineSignal(signal, CONNECT_TIMEOUT_MS, () => new Error('nobody answers'));
  const socket = connect({ host, port, signal: limit.signal });
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once('connect', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
  } finally {
    limit.done();
    socket.destroy();
    signal.throwIfAborted();
  }
}
