// A bare relay: what it costs at least to pass bytes on with Node. It reads into one static buffer per connection and
// stops reading while the client's write is pending; it understands nothing.
// Its argument is the upstream's port; writes its own as the first line of stdout.
import './ends-with-parent.ts';
import net, { type AddressInfo } from 'node:net';

const upstreamPort = Number(process.argv[2]);
const BUFFER = 1024 * 1024;

const server = net.createServer((client) => {
  const buffer = Buffer.allocUnsafeSlow(BUFFER);
  const readOn = () => upstream.resume();
  const upstream = net.connect({
    port: upstreamPort,
    host: '127.0.0.1',
    onread: {
      buffer,
      callback: (bytes) => {
        client.write(buffer.subarray(0, bytes), readOn);
        // Nothing is left to write: the kernel has taken it all, and the buffer may be used again at once.
        return client.writableLength === 0;
      },
    },
  });
  client.on('data', (request) => upstream.write(request));
  client.on('error', () => undefined);
  upstream.on('error', () => undefined);
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => {
    client.destroySoon();
  });
});

server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
