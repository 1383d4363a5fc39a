import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  checkFileServer,
  type NfsPorts,
} from '../../../../src/backends/download-client/reachability/check-file-server.ts';
import { NFS, nullCall } from '../../../../src/backends/download-client/reachability/nfs.ts';
import { negotiateRequest } from '../../../../src/backends/download-client/reachability/smb.ts';
import { SlipstreamError } from '../../../../src/errors/index.ts';
import { closedPort } from '../../../support/http-server.ts';

const HOST = '127.0.0.1';
type Behaviour = (socket: Socket, question: Buffer) => void;

/** A server that does this with what it is told first; how many connections are open is asked afterwards. */
async function server(behave: Behaviour): Promise<{ port: number; open: () => number }> {
  const sockets = new Set<Socket>();
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (question: Buffer) => {
      behave(socket, question);
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, HOST, resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => listening.close(resolve));
  });
  return { port: (listening.address() as AddressInfo).port, open: () => sockets.size };
}

const freePort = async () => Number(new URL(await closedPort()).port);

const silent: Behaviour = () => undefined;
const ending: Behaviour = (socket) => socket.end();
const breaking: Behaviour = (socket) => socket.resetAndDestroy();
const web: Behaviour = (socket) => socket.end(`HTTP/1.1 400 Bad Request\r\n\r\n${'x'.repeat(1000)}`);
const endless: Behaviour = (socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 7)));
  };
  socket.on('drain', more);
  more();
};

/** Answers as an SMB2 server does: a frame of 64 bytes of header and a body. */
const smb2: Behaviour = (socket, question) => {
  expect(question.subarray(4, 8)).toEqual(Buffer.from([0xfe, 0x53, 0x4d, 0x42]));
  expect(question.readUInt32BE(0)).toBe(question.length - 4);
  socket.write(smbAnswer(0xfe));
};
function smbAnswer(first: number): Buffer {
  const answer = Buffer.alloc(4 + 64 + 65);
  answer.writeUInt32BE(64 + 65);
  answer.write('SMB', 5, 'latin1');
  answer[4] = first;
  return answer;
}
/** One byte after the other, as a slow line may bring them. */
const smbInPieces: Behaviour = (socket) => {
  for (const byte of smbAnswer(0xfe)) socket.write(Buffer.from([byte]));
};
/** Knows nothing else, and breaks off at the rest. */
const smb1: Behaviour = (socket, question) => {
  if (question[4] === 0xff) socket.write(smbAnswer(0xff));
  else socket.resetAndDestroy();
};

/** Answers as an RPC server does: the id of the call, REPLY, accepted, and what came of it. */
const rpc =
  (status: 'accepted' | 'denied'): Behaviour =>
  (socket, question) => {
    const reply = Buffer.alloc(28);
    reply.writeUInt32BE(0x8000_0000 + 24, 0);
    question.copy(reply, 4, 4, 8);
    reply.writeUInt32BE(1, 8);
    reply.writeUInt32BE(status === 'accepted' ? 0 : 1, 12);
    socket.write(reply);
  };
const strangersReply: Behaviour = (socket, question) => {
  const reply = Buffer.alloc(28);
  reply.writeUInt32BE((question.readUInt32BE(4) ^ 1) >>> 0, 4);
  reply.writeUInt32BE(1, 8);
  socket.write(reply);
};

const signal = () => new AbortController().signal;
const smb = (port: number, timeout = 300) =>
  checkFileServer({ protocol: 'smb', host: HOST, port }, { signal: signal(), timeout });
const nfs = (nfsPorts: NfsPorts, timeout = 300) =>
  checkFileServer({ protocol: 'nfs', host: HOST }, { signal: signal(), timeout, nfsPorts });

async function codeOf(outcome: Promise<void>): Promise<string> {
  const error: unknown = await outcome.then(
    () => 'speaks',
    (cause: unknown) => cause,
  );
  if (!(error instanceof SlipstreamError)) return String(error);
  expect(error.explanation.what).toContain('127.0.0.1');
  return error.code;
}

describe('an SMB server', () => {
  it.each([
    ['answers in SMB2', smb2, 'speaks'],
    ['answers in pieces', smbInPieces, 'speaks'],
    ['knows SMB1 only', smb1, 'speaks'],
    ['accepts and never answers', silent, 'TIMEOUT'],
    ['accepts and ends', ending, 'UNREACHABLE'],
    ['breaks off', breaking, 'UNREACHABLE'],
    ['is a web server', web, 'BAD_ANSWER'],
    ['sends without end', endless, 'BAD_ANSWER'],
  ])('%s', async (_what, behave, outcome) => {
    const { port, open } = await server(behave);
    expect(await codeOf(smb(port))).toBe(outcome);
    // Nothing of ours is left open.
    await expect.poll(open).toBe(0);
  });

  it('is told in words what is wrong', async () => {
    await expect(smb(await freePort())).rejects.toThrow(/UNREACHABLE.*nothing listens there/);
    const { port } = await server(silent);
    await expect(smb(port)).rejects.toThrow(/TIMEOUT.*did not answer within 1 second/);
    const unknown = { protocol: 'smb', host: 'no-such-host.invalid' } as const;
    const failure: unknown = await checkFileServer(unknown, { signal: signal(), timeout: 3_000 }).catch(
      (error: unknown) => error,
    );
    expect(['UNREACHABLE', 'TIMEOUT']).toContain((failure as SlipstreamError).code);
  });

  it('is given up with the reason of the signal, and its connection closed', async () => {
    const { port, open } = await server(silent);
    const controller = new AbortController();
    const reason = new Error('enough');
    const outcome = checkFileServer(
      { protocol: 'smb', host: HOST, port },
      { signal: controller.signal, timeout: 9e6 },
    );
    await expect.poll(open).toBe(1);
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await expect.poll(open).toBe(0);
  });

  it('is asked for the dialects from 2.0.2 to 3.0.2', () => {
    const body = negotiateRequest().subarray(4 + 64);
    const count = body.readUInt16LE(2);
    expect(Array.from({ length: count }, (_, i) => body.readUInt16LE(36 + 2 * i))).toEqual([
      0x0202, 0x0210, 0x0300, 0x0302,
    ]);
    expect(body.length).toBe(36 + 2 * count);
  });
});

describe('an NFS server', () => {
  const port = async (behave: Behaviour | undefined) =>
    behave === undefined ? await freePort() : (await server(behave)).port;

  it.each([
    ['answers on both ports', rpc('accepted'), rpc('accepted'), 'speaks'],
    ['is of version 4, without a portmapper', rpc('accepted'), undefined, 'speaks'],
    ['refuses version 3, which is an answer', rpc('denied'), undefined, 'speaks'],
    ['has another port, which the portmapper knows', undefined, rpc('accepted'), 'speaks'],
    ['accepts and never answers', silent, rpc('accepted'), 'TIMEOUT'],
    ['has a portmapper that never answers', rpc('accepted'), silent, 'TIMEOUT'],
    ['listens nowhere', undefined, undefined, 'UNREACHABLE'],
    ['breaks off', breaking, rpc('accepted'), 'UNREACHABLE'],
    ['is a web server', web, undefined, 'BAD_ANSWER'],
    ['answers somebody else', strangersReply, undefined, 'BAD_ANSWER'],
  ])('%s', async (_what, forNfs, forPortmapper, outcome) => {
    const ports = { nfs: await port(forNfs), portmapper: await port(forPortmapper) };
    expect(await codeOf(nfs(ports))).toBe(outcome);
  });

  it('is asked at the port of its address alone, when that names one', async () => {
    const { port: own } = await server(rpc('accepted'));
    const server3 = { protocol: 'nfs', host: HOST, port: own } as const;
    const closed = { nfs: await freePort(), portmapper: await freePort() };
    await checkFileServer(server3, { signal: signal(), timeout: 300, nfsPorts: closed });
  });

  it('is called by a whole record of RPC version 2, procedure 0', () => {
    const call = nullCall(NFS);
    expect(call.readUInt32BE(0)).toBe(0x8000_0000 + call.length - 4);
    expect([8, 12, 16, 20, 24].map((at) => call.readUInt32BE(at))).toEqual([0, 2, 100_003, 3, 0]);
    expect(call.subarray(28)).toEqual(Buffer.alloc(16));
  });
});
