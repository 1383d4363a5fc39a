/**
 * An upstream that costs next to nothing: any range of one file, from a single buffer in memory, over a bare socket.
 * Writes its port as the first line of stdout; its argument is the file's size.
 */
import net, { type AddressInfo, type Socket } from 'node:net';

const size = Number(process.argv[2]);
const block = Buffer.alloc(1024 * 1024, 0x47);

const server = net.createServer((socket) => {
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
});

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

server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
