import type { Socket } from 'node:net';

/**
 * Ends a connection with RST. One that has begun to end can no longer be reset: node's resetAndDestroy would then
 * neither close it nor tell (seen with 20.20), so it is destroyed; TLS knows no reset either.
 */
export function resetSocket(socket: Socket): void {
  if ('encrypted' in socket || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}
