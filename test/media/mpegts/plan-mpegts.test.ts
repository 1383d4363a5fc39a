import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planFill } from '../../../src/media/plan-fill.ts';
import { around, dice, inMemory, patched, plan } from '../holes.ts';

const TS = 'video/mp2t';
const NULL_PID = 0x1fff;

/** Packets of noise on the PIDs 0x100 to 0x103, behind some bytes that are none. */
function stream(seed: number, prefix: number, junk: number): Buffer {
  const roll = dice(seed);
  const packets = Array.from({ length: 120 }, () => {
    const packet = Buffer.from(Array.from({ length: prefix + 188 }, () => roll(256)));
    packet.set([0x47, 0x01, roll(4), 0x10 | roll(16)], prefix);
    return packet;
  });
  return Buffer.concat([Buffer.alloc(junk, 0x20), ...packets]);
}

const pid = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff;

const wanted = fc.record({
  seed: fc.nat(),
  prefix: fc.constantFrom(0, 4),
  junk: fc.constantFrom(0, 0, 7, 100),
  at: fc.nat(),
  length: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4000 })),
});

describe('a bridge in a transport stream', () => {
  it('keeps the grid: what was cut is completed, what was lost is null packets', async () => {
    await fc.assert(
      fc.asyncProperty(wanted, async ({ seed, prefix, junk, at, length }) => {
        const bytes = stream(seed, prefix, junk);
        const size = prefix + 188;
        // Far enough from both ends for a grid to be seen.
        const first = junk + 5 * size + (at % (50 * size));
        const hole = { first, last: first + length - 1 };
        const fill = await plan(TS, inMemory(bytes), hole);
        const telling = length === 1 && (first - junk) % size === prefix + 2;
        expect('refused' in fill && fill.refused).toBe(
          telling && 'the one lost byte tells to which stream its packet belongs',
        );
        if ('refused' in fill) return;
        const result = patched(bytes, fill);
        for (let start = junk; start < bytes.length; start += size) {
          const packet = result.subarray(start + prefix, start + size);
          const original = bytes.subarray(start + prefix, start + size);
          expect(packet[0]).toBe(0x47);
          const headerKept = start + prefix + 4 <= hole.first || start + prefix > hole.last;
          if (headerKept) expect(packet.subarray(0, 4)).toEqual(original.subarray(0, 4));
          else if (start + prefix + 1 >= hole.first && start + prefix + 2 <= hole.last)
            expect(pid(packet)).toBe(NULL_PID);
          // What is left of a PID is never taken for another stream's.
          else if (pid(packet) !== pid(original) && pid(packet) >> 8 !== 0x1f)
            expect(packet.readUInt8(3) & 0x30).toBe(0);
        }
      }),
      {
        // The PID's last byte alone: what stands behind it is not lost, and cannot say that the packet is none.
        examples: [[{ seed: 0, prefix: 0, junk: 0, at: 2, length: 1 }]],
      },
    );
  });

  it.each([
    ['noise', Buffer.from(Array.from({ length: 60_000 }, (_, i) => (i * 7919) % 251))],
    [
      'a grid that is another one after the hole',
      Buffer.concat([stream(1, 0, 0), Buffer.alloc(50), stream(2, 0, 0)]),
    ],
    [
      'a grid of packets that nobody knows',
      Buffer.concat(Array.from({ length: 300 }, () => Buffer.alloc(204, 0x47).fill(1, 1))),
    ],
  ])('is refused in %s', async (_name, bytes) => {
    const hole = { first: 22_000, last: 23_500 };
    expect(await plan(TS, inMemory(bytes), hole)).toHaveProperty('refused');
  });

  it('is refused next to another hole, and reads little', async () => {
    const bytes = stream(3, 0, 0);
    const holes = [
      { first: 9000, last: 9999 },
      { first: 10_100, last: 12_000 },
    ];
    const reads = { count: 0, bytes: 0 };
    const fill = await planFill(
      TS,
      holes[0]!,
      around(inMemory(bytes), holes, reads),
      new AbortController().signal,
    );
    expect(fill).toHaveProperty('refused');
    expect(reads.bytes).toBeLessThan(10_000);
  });
});
