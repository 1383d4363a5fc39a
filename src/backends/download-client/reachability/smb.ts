import { randomBytes } from 'node:crypto';
import { exchange, type TcpReply } from './tcp-exchange.ts';

/** SMB over TCP without NetBIOS. */
export const SMB_PORT = 445;

/** Each message behind its length (MS-SMB2 2.1); the kind 0 is a session message. */
const FRAME = 4;
const HEADER = 64;
const OLD_HEADER = 32;
const OLD_NEGOTIATE = 0x72;
/** 2.0.2 to 3.0.2. A server that wants 3.1.1 says so in SMB2, and has spoken. */
const DIALECTS = [0x0202, 0x0210, 0x0300, 0x0302];
/** "SMB" behind 0xfe (version 2 and 3) or 0xff (version 1). */
const SMB_SIGNATURE = 'SMB';

/** The request that opens every SMB2 conversation (MS-SMB2 2.2.3), without any login. */
export function negotiateRequest(): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write(`\u00fe${SMB_SIGNATURE}`, 0, 'latin1');
  header.writeUInt16LE(HEADER, 4);
  // One credit is asked for; the command NEGOTIATE and the message id are 0.
  header.writeUInt16LE(1, 14);
  const body = Buffer.alloc(36 + 2 * DIALECTS.length);
  body.writeUInt16LE(36, 0);
  body.writeUInt16LE(DIALECTS.length, 2);
  // Signing is possible.
  body.writeUInt16LE(1, 4);
  randomBytes(16).copy(body, 12);
  for (const [i, dialect] of DIALECTS.entries()) body.writeUInt16LE(dialect, 36 + 2 * i);
  return framed(header, body);
}

/** The same in SMB1 (MS-CIFS 2.2.4.52), for the one dialect that is left of it. */
function oldNegotiateRequest(): Buffer {
  const header = Buffer.alloc(OLD_HEADER);
  header.write(`\u00ff${SMB_SIGNATURE}`, 0, 'latin1');
  header.writeUInt8(OLD_NEGOTIATE, 4);
  const dialect = Buffer.from('\u0002NT LM 0.12\0', 'latin1');
  // No parameters, then the data behind their length.
  const body = Buffer.alloc(3);
  body.writeUInt16LE(dialect.length, 1);
  return framed(header, body, dialect);
}

function framed(...parts: readonly Buffer[]): Buffer {
  const message = Buffer.concat(parts);
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32BE(message.length);
  return Buffer.concat([frame, message]);
}

/** Whether it answers as a file server does; any answer in SMB counts, also a refusal. */
export function isSmbAnswer(bytes: Buffer): boolean {
  const first = bytes[FRAME];
  return (
    bytes.length >= FRAME + 1 + SMB_SIGNATURE.length &&
    bytes[0] === 0 &&
    (first === 0xfe || first === 0xff) &&
    bytes.toString('latin1', FRAME + 1, FRAME + 1 + SMB_SIGNATURE.length) === SMB_SIGNATURE
  );
}

/** An old server that has nothing but SMB1 breaks off at SMB2, and is asked again in its own language. */
export async function probeSmb(host: string, port: number, signal: AbortSignal): Promise<TcpReply> {
  const reply = await exchange({ host, port }, negotiateRequest(), FRAME + OLD_HEADER, signal);
  const brokeOff = reply.kind === 'failed' ? reply.code === 'ECONNRESET' : reply.bytes.length === 0;
  return brokeOff ? await exchange({ host, port }, oldNegotiateRequest(), FRAME + OLD_HEADER, signal) : reply;
}
