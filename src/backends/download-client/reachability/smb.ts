import { randomBytes } from 'node:crypto';
import { ask, type Reply } from './ask.ts';

/** SMB over TCP without NetBIOS. */
export const SMB_PORT = 445;

/** Each message behind its length (MS-SMB2 2.1); the kind 0 is a session message. */
const FRAME = 4;
const HEADER = 64;
/** 2.0.2 to 3.0.2. A server that wants 3.1.1 says so in SMB2, and has spoken. */
const DIALECTS = [0x0202, 0x0210, 0x0300, 0x0302];
/** "SMB" behind 0xfe (version 2 and 3) or 0xff (version 1). */
const MARK = 'SMB';

/** The request that opens every SMB2 conversation (MS-SMB2 2.2.3), without any login. */
export function negotiateRequest(): Buffer {
  const header = Buffer.alloc(HEADER);
  header.write(`\u00fe${MARK}`, 0, 'latin1');
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
  const frame = Buffer.alloc(FRAME);
  frame.writeUInt32BE(HEADER + body.length);
  return Buffer.concat([frame, header, body]);
}

/** Whether it answers as a file server does; any answer in SMB counts, also a refusal. */
export function speaksSmb(bytes: Buffer): boolean {
  const first = bytes[FRAME];
  return (
    bytes.length >= FRAME + 1 + MARK.length &&
    bytes[0] === 0 &&
    (first === 0xfe || first === 0xff) &&
    bytes.toString('latin1', FRAME + 1, FRAME + 1 + MARK.length) === MARK
  );
}

export const askSmb = (host: string, port: number, signal: AbortSignal): Promise<Reply> =>
  ask({ host, port }, negotiateRequest(), FRAME + HEADER, signal);
