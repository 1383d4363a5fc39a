import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readFileRange } from '../../src/backends/read-file-range.ts';
import { CancelledError } from '../../src/errors/index.ts';
import {
  type AnswerPlan,
  type FileServer,
  type SeenRequest,
  startFileServer,
} from '../support/file-server.ts';
import { serve } from '../support/http-server.ts';

const SIZE = 1_000_000;
const RANGE = { from: 1000, length: 100 };

async function read(plan: AnswerPlan, range = RANGE): Promise<Uint8Array> {
  const { url } = await server(() => plan);
  return await piece(url, range);
}

async function server(plan: (request: SeenRequest, index: number) => AnswerPlan): Promise<FileServer> {
  const started = await startFileServer(SIZE, plan);
  onTestFinished(() => started.close());
  return started;
}

const piece = (url: string, range = RANGE, signal = new AbortController().signal, recovery = 5) =>
  readFileRange({ url, headers: {}, who: 'The test', timeout: 1_000, signal, retryDelay: recovery }, range);

describe('a piece of a file', () => {
  it('is as long as it was asked for, and shorter at the end alone', async () => {
    expect(await read({})).toHaveLength(100);
    expect(await read({}, { from: SIZE - 10, length: 100 })).toHaveLength(10);
  });

  const says = (last: number) => ({ 'content-range': `bytes 1000-${last}/${SIZE}` });
  it.each<[string, AnswerPlan]>([
    ['shorter than its range says', { answer: { first: 1000, last: 1049 }, headers: says(1099) }],
    ['longer than its range says', { headers: says(1049) }],
    ['another one', { answer: { first: 0, last: 99 } }],
    ['the whole file', { status: 200 }],
    ['one that does not say which', { headers: { 'content-range': undefined } }],
  ])('is damaged when it is %s', async (_, plan) => {
    await expect(read(plan)).rejects.toMatchObject({ code: 'DAMAGED' });
  });
});

/** A port that takes connections, and breaks them off after so much of an answer. */
async function brokenAnswers(beginning: string): Promise<{ url: string; connections: () => number }> {
  let connections = 0;
  const port = createServer((socket: Socket) => {
    connections++;
    socket.once('data', () => {
      if (beginning === '') socket.resetAndDestroy();
      else socket.end(beginning);
    });
  });
  port.listen(0, '127.0.0.1');
  await once(port, 'listening');
  onTestFinished(() => void port.close());
  const url = `http://127.0.0.1:${(port.address() as AddressInfo).port}/file.mkv`;
  return { url, connections: () => connections };
}

describe('a piece that cannot be read', () => {
  it('blames no password that did not go to where the redirect led', async () => {
    const target = await serve((_request, response) => response.writeHead(401).end());
    const url = await serve((_request, response) => response.writeHead(302, { location: target }).end());
    await expect(piece(target)).rejects.toMatchObject({ code: 'AUTH_FAILED' });
    await expect(piece(url)).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  });

  const methods = ({ requests }: FileServer) => requests.map(({ method }) => method);
  const BREAK: AnswerPlan = { dropAfter: 10 };

  it('is damaged when the server begins to send it twice, and breaks off', async () => {
    const lab = await server(() => BREAK);
    await expect(piece(lab.url)).rejects.toMatchObject({ code: 'DAMAGED' });
    expect(methods(lab)).toEqual(['GET', 'GET']);
  });

  it.each([
    ['the first time', 0],
    ['the second time', 1],
  ])('proves nothing when the server has not begun to answer %s', async (_, nth) => {
    const { url } = await server((_request, index) => (index === nth ? { dropAfter: -1 } : BREAK));
    await expect(piece(url)).rejects.toMatchObject({ code: 'UNREACHABLE', transient: true });
  });

  it('is read the second time when the break was a passing one', async () => {
    const lab = await server((_, index) => (index === 0 ? BREAK : {}));
    expect(await piece(lab.url)).toHaveLength(100);
  });

  it('proves nothing while the server breaks off on everything', async () => {
    // As a container's port does whose server is restarting.
    const { url, connections } = await brokenAnswers('');
    await expect(piece(url)).rejects.toMatchObject({ code: 'UNREACHABLE', transient: true });
    expect(connections()).toBe(2);
  });

  it('proves nothing when a gateway speaks for a server that is away, and breaks off as well', async () => {
    const { url } = await brokenAnswers('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 500\r\n\r\n<html>');
    await expect(piece(url)).rejects.toMatchObject({ code: 'UNREACHABLE', transient: true });
  });

  it.each([500, 507])('is tried a second time after HTTP %i, which proves nothing', async (status) => {
    const passing = await server((_, index) => (index === 0 ? { status } : {}));
    expect(await piece(passing.url)).toHaveLength(100);
    const lasting = await server(() => ({ status }));
    await expect(piece(lasting.url)).rejects.toMatchObject({ code: 'SERVICE_ERROR', transient: true });
    expect(methods(lasting)).toEqual(['GET', 'GET']);
  });

  it('is not damaged by one break after one fault', async () => {
    const { url } = await server((_, index) => (index === 0 ? { status: 500 } : BREAK));
    await expect(piece(url)).rejects.toMatchObject({ code: 'UNREACHABLE' });
    const other = await server((_, index) => (index === 0 ? BREAK : { status: 500 }));
    await expect(piece(other.url)).rejects.toMatchObject({ code: 'SERVICE_ERROR' });
  });

  it.each([404, 410, 416])('is damaged at once by HTTP %i', async (status) => {
    const lab = await server(() => ({ status }));
    await expect(piece(lab.url)).rejects.toMatchObject({ code: 'DAMAGED' });
    expect(lab.requests).toHaveLength(1);
  });

  it('is not tried again once the play is cancelled', async () => {
    const controller = new AbortController();
    const lab = await server(() => BREAK);
    const outcome = piece(lab.url, RANGE, controller.signal, 60_000);
    await expect.poll(() => lab.requests.length).toBe(1);
    await lab.requests[0]?.over;
    const reason = new CancelledError('person');
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    expect(lab.requests).toHaveLength(1);
  });
});
