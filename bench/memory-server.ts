// An upstream that costs next to nothing: any range of one file, from a single buffer in memory, over a bare socket.
// Its arguments are the file's size and, for TLS, the paths of a key and a certificate; writes its port as the first
// line of stdout.
import './ends-with-parent.ts';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import tls from 'node:tls';

const [size, key, cert] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
/** Nothing but sync bytes: the proxy takes it for a transport stream, and refuses what begins as no video does. */
const block = Buffer.alloc(1024 * 1024, 0x47);

function serve(socket: Socket): void {
  let head = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    head += chunk.toString('latin1');
    if (!head.includes('\r\n\r\n')) return;
    const [, first = '0', last = ''] = /\r\nrange: bytes=(\d+)-(\d*)/i.exec(head) ?? [];
    head = '';
    const end = last === '' ? size - 1 : Number(last);
    const length = end - Number(first) + 1;
    socket.write(
      `HTTP/1.1 206 Partial Content\r\nContent-Range: bytes ${first}-${end}/${size}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    send(socket, length);
  });
}

function send(socket: Socket, length: number): void {
  let left = length;
  while (left > 0) {
    const part = left >= block.length ? block : block.subarray(0, left);
    left -= part.length;
    if (!socket.write(part)) {
      socket.once('drain', () => {
        send(socket, left);
      });
      return;
    }
  }
}

const server =
  key === undefined || cert === undefined
    ? net.createServer(serve)
    : tls.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, serve);

server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
