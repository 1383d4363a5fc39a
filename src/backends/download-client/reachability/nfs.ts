import { randomBytes } from 'node:crypto';
import { exchange, type TcpReply } from './tcp-exchange.ts';

export const NFS_PORT = 2049;
/** rpcbind, by which NFS 3 finds the other services; NFS 4 does without. */
export const PORTMAPPER_PORT = 111;

/** Program numbers of ONC RPC, and the versions that are called. */
export const NFS = { program: 100_003, version: 3 } as const;
export const PORTMAPPER = { program: 100_000, version: 2 } as const;
export type Program = typeof NFS | typeof PORTMAPPER;

const LAST_FRAGMENT = 0x8000_0000;
const CALL = 0;
const REPLY = 1;
const RPC_VERSION = 2;
/** Id, kind, version, program, its version, procedure, and two empty proofs of identity. */
const CALL_LENGTH = 40;
/** Id, kind and whether the call was accepted. */
const ANSWER_LENGTH = 12;
const FRAME = 4;

/** A call of procedure 0, which does nothing and needs no rights (RFC 5531), as one record over TCP. */
export function nullCall({ program, version }: Program): Buffer {
  const call = Buffer.alloc(FRAME + CALL_LENGTH);
  call.writeUInt32BE(LAST_FRAGMENT + CALL_LENGTH, 0);
  randomBytes(4).copy(call, FRAME);
  [CALL, RPC_VERSION, program, version].forEach((word, i) => call.writeUInt32BE(word, FRAME + 4 + 4 * i));
  return call;
}

/** Whether it answers this call; a refusal ("I only have version 4") is an answer. */
export function isCallAnswer(call: Buffer, bytes: Buffer): boolean {
  return (
    bytes.length >= FRAME + ANSWER_LENGTH &&
    bytes.readUInt32BE(FRAME) === call.readUInt32BE(FRAME) &&
    bytes.readUInt32BE(FRAME + 4) === REPLY
  );
}

export const probeRpc = (host: string, port: number, call: Buffer, signal: AbortSignal): Promise<TcpReply> =>
  exchange({ host, port }, call, FRAME + ANSWER_LENGTH, signal);
