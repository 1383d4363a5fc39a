import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { createPeer } from '../../../src/host/kodi/index.ts';
import { memoryLog } from '../../support/log.ts';

/** The engine's end, with both pipes in the hands of the test. */
function bridge() {
  const input = new PassThrough();
  const output = new PassThrough();
  const log = memoryLog();
  const sent: { id?: number; method?: string; result?: unknown; error?: { code: number } }[] = [];
  createInterface({ input: output }).on('line', (line) =>
    sent.push(JSON.parse(line) as (typeof sent)[number]),
  );
  const peer = createPeer(input, output, log);
  const write = (...messages: unknown[]) => {
    for (const message of messages) input.write(`${JSON.stringify(message)}\n`);
  };
  return { peer, input, output, log, sent, write };
}

const FAILED = { code: 'HOST_FAILED' };

test('a notification has no number, and none is sent once the bridge is closed', async () => {
  const { peer, input, sent } = bridge();
  peer.notify('stream.refused', {});
  await expect.poll(() => sent).toEqual([{ jsonrpc: '2.0', method: 'stream.refused', params: {} }]);
  input.end();
  await expect.poll(() => peer.closed.aborted).toBe(true);
  peer.notify('stream.refused', {});
  expect(sent).toHaveLength(1);
});

describe('calls', () => {
  test('are answered in any order', async () => {
    const { peer, write } = bridge();
    const calls = ['a', 'b', 'c'].map((method) => peer.call(method, {}));
    write({ id: 3, result: 'C' }, { id: 1, result: 'A' }, { id: 2, result: null });
    expect(await Promise.all(calls)).toEqual(['A', null, 'C']);
  });

  test('are not settled by an unknown id, by one in another form, or a second time', async () => {
    const { peer, write } = bridge();
    const call = peer.call('a', {});
    write(
      { id: 7, result: 1 },
      { id: '1', result: 2 },
      { id: null, result: 3 },
      { id: 1, result: 4 },
      { id: 1, result: 5 },
    );
    expect(await call).toBe(4);
  });

  test.each([
    [{ code: -32000, message: 'no such window' }, 'no such window'],
    [{ message: 'without a code' }, 'without a code'],
    ['a bare text', 'refused without a reason'],
    [{}, 'refused without a reason'],
    [false, 'refused without a reason'],
  ])('are refused by any error: %j', async (error, reason) => {
    const { peer, write } = bridge();
    const call = peer.call('window.open', {});
    write({ id: 1, error });
    await expect(call).rejects.toMatchObject({
      ...FAILED,
      message: expect.stringContaining(reason) as string,
    });
  });

  test('are not refused by an error that is null, as some write beside a result', async () => {
    const { peer, write } = bridge();
    const call = peer.call('a', {});
    write({ id: 1, result: 'A', error: null });
    expect(await call).toBe('A');
  });

  test('that no line can hold are refused at once, and the next one works', async () => {
    const { peer, write, sent } = bridge();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await expect(peer.call('a', circular)).rejects.toMatchObject(FAILED);
    await expect(peer.call('b', { text: 'x'.repeat(8 * 1024 * 1024) })).rejects.toMatchObject(FAILED);
    const call = peer.call('c', {});
    write({ id: 3, result: 'C' });
    expect(await call).toBe('C');
    expect(sent.map(({ method }) => method)).toEqual(['c']);
  });
});

describe('lines', () => {
  test.each([
    '',
    'garbage',
    '{"id":',
    '[]',
    '[{"id":1,"result":2}]',
    '7',
    'null',
    '"text"',
    '{"method":5}',
    '\0\u001b[31m',
    '['.repeat(100_000),
  ])('that hold no message are skipped and logged: %#', async (line) => {
    const { peer, input, write, log } = bridge();
    const call = peer.call('a', {});
    input.write(`${line}\n`);
    write({ id: 1, result: 'A' });
    expect(await call).toBe('A');
    expect(log.lines).toEqual([
      expect.stringMatching(/^warning: the bridge skipped a line of \d+ characters/),
    ]);
  });

  test('that are longer than 8 MiB are skipped and logged', async () => {
    const { peer, input, write, log } = bridge();
    const call = peer.call('a', {});
    for (let i = 0; i < 9; i++) input.write('x'.repeat(1024 * 1024));
    input.write('\n');
    write({ id: 1, result: 'A' });
    expect(await call).toBe('A');
    expect(log.lines).toEqual([expect.stringContaining('more than 8388608 bytes')]);
  });

  test('may come in any pieces, and may hold line separators of Unicode', async () => {
    const { peer, input } = bridge();
    const call = peer.call('a', {});
    for (const byte of Buffer.from('{"id":1,"result":"Größe\u2028\u2029 ☺"}\r\n'))
      input.write(Buffer.of(byte));
    expect(await call).toBe('Größe\u2028\u2029 ☺');
  });
});

describe('the host’s calls', () => {
  test('are answered by their handler; a notification never is', async () => {
    const { peer, write, sent } = bridge();
    const seen: unknown[] = [];
    peer.handle('ping', () => 'pong');
    peer.handle('nothing', () => undefined);
    peer.handle('player', (params) => seen.push(params));
    write(
      { id: 'x', method: 'ping' },
      { id: 2, method: 'nothing' },
      { method: 'player', params: { kind: 'ended' } },
    );
    await expect.poll(() => seen).toEqual([{ kind: 'ended' }]);
    expect(sent).toMatchObject([
      { id: 'x', result: 'pong' },
      { id: 2, result: null },
    ]);
  });

  test('reach their handlers in their order', async () => {
    const { peer, write } = bridge();
    const seen: unknown[] = [];
    peer.handle('player', (params) => seen.push(params));
    write(...Array.from({ length: 50 }, (_, i) => ({ method: 'player', params: i })));
    await expect.poll(() => seen).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  test('that came before their handler was set are given to it', async () => {
    const { peer, write } = bridge();
    write({ method: 'start', params: 1 }, { method: 'abort', params: {} }, { method: 'start', params: 2 });
    await new Promise((resolve) => setImmediate(resolve));
    const seen: unknown[] = [];
    peer.handle('start', (params) => seen.push(params));
    peer.handle('abort', () => seen.push('abort'));
    await expect.poll(() => seen).toEqual([1, 2, 'abort']);
  });

  test('that are unknown or fail are answered with an error that holds no details', async () => {
    const { peer, write, sent, log } = bridge();
    peer.handle('throws', () => {
      throw new Error('secret details');
    });
    peer.handle('rejects', () => Promise.reject(new Error('secret details')));
    peer.handle('circular', () => ({ big: 1n }));
    write(...['toString', 'throws', 'rejects', 'circular'].map((method, id) => ({ id, method })));
    await expect.poll(() => sent).toHaveLength(4);
    const codes = sent.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0)).map(({ error }) => error?.code);
    expect(codes).toEqual([-32601, -32603, -32603, -32603]);
    expect(JSON.stringify(sent)).not.toContain('secret');
    expect(log.lines).toHaveLength(3);
  });

  test('fail without an answer when they are notifications', async () => {
    const { peer, write, sent, log } = bridge();
    peer.handle('player', () => Promise.reject(new Error('no')));
    write({ method: 'player' }, { method: 'unknown' });
    await expect.poll(() => log.lines).toHaveLength(1);
    expect(sent).toEqual([]);
  });
});

describe('the end', () => {
  test.each(['the input ends', 'the input breaks', 'we close'])(
    'refuses pending and later calls: %s',
    async (how) => {
      const { peer, input, write } = bridge();
      const seen = vi.fn();
      peer.handle('late', seen);
      const calls = [peer.call('a', {}), peer.call('b', {})];
      if (how === 'the input ends') input.end();
      if (how === 'the input breaks') input.destroy(new Error('EIO'));
      if (how === 'we close') {
        write({ method: 'late' });
        peer.close();
      }
      for (const call of calls) await expect(call).rejects.toMatchObject(FAILED);
      await expect(peer.call('c', {})).rejects.toMatchObject(FAILED);
      expect(peer.closed.aborted).toBe(true);
      peer.close();
    },
  );

  test('a last line without its end still counts', async () => {
    const { peer, input } = bridge();
    const call = peer.call('a', {});
    input.end('{"id":1,"result":"A"}');
    expect(await call).toBe('A');
  });

  test('a failing output is no failure of ours: the end of the input tells', async () => {
    const input = new PassThrough();
    const output = new Writable({
      write: (_chunk, _encoding, done) => {
        done(new Error('EPIPE'));
      },
    });
    const peer = createPeer(input, output, memoryLog());
    const call = peer.call('a', {});
    const another = peer.call('b', {});
    input.end();
    await expect(call).rejects.toMatchObject(FAILED);
    await expect(another).rejects.toMatchObject(FAILED);
  });
});
