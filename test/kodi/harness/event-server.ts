// Kodi's event server: the only door from outside that runs any builtin. UDP, one way, without an answer.
import { createSocket } from 'node:dgram';

const HEADER_BYTES = 32;
const PACKET_ACTION = 0x0a;
const EXECUTE_BUILTIN = 0x01;
/** A longer text would have to be spread over several packets. */
const MAXIMUM_PAYLOAD_BYTES = 1024 - HEADER_BYTES;

/** The packet layout is that of Kodi's EventServer, protocol version 2.0: numbers are big-endian. */
function builtinPacket(text: string): Buffer {
  const payload = Buffer.concat([Buffer.from([EXECUTE_BUILTIN]), Buffer.from(`${text}\0`)]);
  if (payload.length > MAXIMUM_PAYLOAD_BYTES) throw new Error('The builtin is too long for one packet.');
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('XBMC', 'latin1');
  header.writeUInt8(2, 4);
  header.writeUInt8(0, 5);
  header.writeUInt16BE(PACKET_ACTION, 6);
  header.writeUInt32BE(1, 8);
  header.writeUInt32BE(1, 12);
  header.writeUInt16BE(payload.length, 16);
  header.writeUInt32BE(process.pid, 18);
  return Buffer.concat([header, payload]);
}

export async function sendBuiltin(port: number, text: string): Promise<void> {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      socket.send(builtinPacket(text), port, '127.0.0.1', (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  } finally {
    socket.close();
  }
}
