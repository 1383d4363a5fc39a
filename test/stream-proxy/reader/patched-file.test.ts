import { expect, it } from 'vitest';
import { READ_POLICY } from '../../../src/stream-proxy/policy/policies.ts';
import { patchedFile } from '../../../src/stream-proxy/reader/patched-file.ts';
import { MAX_READ_BYTES } from '../../../src/stream-proxy/source/read-bytes.ts';
import type { RangeRequest } from '../../../src/stream-proxy/source/source.ts';
import { virtualBytes } from '../../support/virtual-file.ts';
import { opened } from './simulated.ts';

const SIZE = 10_000;
const FILL = { first: 100, last: 199 };
const { signal } = new AbortController();

/** A file of which bytes 50 to 59 are in memory, and bytes 100 to 199 are filled with zeros. */
function file() {
  const asked: string[] = [];
  let loans = 0;
  const lend = (bytes: Uint8Array) => {
    loans++;
    return { bytes, release: () => loans-- };
  };
  const read = patchedFile({
    source: {
      host: 'nas:8080',
      label: 'The file server (nas:8080)',
      validators: undefined,
      open: (wish: RangeRequest) => {
        asked.push(`${wish.first}-${wish.last}`);
        const range = opened(wish, SIZE);
        range.body.deliver(Infinity);
        return Promise.resolve(range);
      },
    },
    size: SIZE,
    policy: READ_POLICY,
    bytesAt: (at) => {
      if (at >= 50 && at < 60) return lend(virtualBytes(at, 59));
      return at >= FILL.first && at <= FILL.last ? lend(Buffer.alloc(FILL.last - at + 1)) : undefined;
    },
    nextFill: (at) => (at < FILL.first ? FILL.first : Infinity),
  });
  return { read: read.read, asked, lent: () => loans };
}

it('asks the source for nothing that stands already: fills, and what is in memory', async () => {
  const { read, asked, lent } = file();
  const right = virtualBytes(50, 299);
  right.fill(0, FILL.first - 50, FILL.last + 1 - 50);
  expect(await read(50, 299, signal)).toEqual(right);
  expect(asked).toEqual(['60-99', '200-299']);
  expect(lent()).toBe(0);
});

it('reads within a fill, and within memory, without the source', async () => {
  const { read, asked } = file();
  expect(await read(110, 120, signal)).toEqual(Buffer.alloc(11));
  expect(await read(51, 52, signal)).toEqual(virtualBytes(51, 52));
  expect(asked).toEqual([]);
});

it('refuses more than anybody needs at once', async () => {
  await expect(file().read(0, MAX_READ_BYTES, signal)).rejects.toMatchObject({ kind: 'wrong-answer' });
});
