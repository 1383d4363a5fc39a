import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { CancelledError } from '../../src/errors/index.ts';
import { fetchBounded } from '../../src/io/http.ts';
import { serve } from '../support/http-server.ts';

function post(url: string, signal: AbortSignal) {
  const body = new FormData();
  body.append('name', new Blob(['x'.repeat(100_000)]), 'Sintel.2010.nzb');
  return fetchBounded({ url, who: 'The server', method: 'POST', body, signal });
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

describe('a form', () => {
  test('arrives whole, with its name and boundary', async () => {
    const url = await serve((request, response) => {
      textOf(request).then(
        (text) => response.end(`${request.headers['content-type'] ?? ''}\n${text}`),
        () => response.destroy(),
      );
    });
    const text = (await post(url, new AbortController().signal)).text();
    const boundary = /^multipart\/form-data; boundary=(.+)\n/.exec(text)?.[1] ?? 'none';
    expect(text).toContain(`\n--${boundary}\r\n`);
    expect(text).toContain('filename="Sintel.2010.nzb"');
    expect(text).toContain('x'.repeat(100_000));
  });

  // Node 24 ended the process here, by a rejection inside of its own fetch.
  test('that is given up, before or while it is sent, ends with the reason and leaves nothing behind', async () => {
    const url = await serve(() => undefined);
    const reason = new CancelledError('person');
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    try {
      await expect(post(url, AbortSignal.abort(reason))).rejects.toBe(reason);
      for (let turns = 0; turns < 20; turns++) {
        const controller = new AbortController();
        const outcome = post(url, controller.signal).catch((error: unknown) => error);
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        controller.abort(reason);
        expect(await outcome).toBe(reason);
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });
});
