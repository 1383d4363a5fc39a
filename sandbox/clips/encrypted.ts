import { createHash } from 'node:crypto';
import type { Clip } from './clip.ts';

/** The cipher works on blocks of this many bytes, so the last one is filled up. */
const BLOCK = 16;

/** A file as an archive holds it whose contents are encrypted: noise, and somewhat longer. */
export function encrypted(clip: Clip): Clip {
  const size = Math.ceil(clip.size / BLOCK) * BLOCK;
  const key = noise(clip.name);
  return {
    name: clip.name,
    size,
    read(start, end) {
      const out = new Uint8Array(end - start);
      if (start < clip.size) out.set(clip.read(start, Math.min(end, clip.size)));
      for (let i = 0; i < out.length; i++) out[i] = (out[i] ?? 0) ^ (key[(start + i) % key.length] ?? 0);
      return out;
    },
  };
}

/** So long that its end meets no border that a container minds. */
const LENGTH = 65_521;

function noise(name: string): Uint8Array {
  const blocks = Array.from({ length: Math.ceil(LENGTH / 64) }, (_, n) =>
    createHash('sha512').update(`${name} ${n}`).digest(),
  );
  return Uint8Array.from(Buffer.concat(blocks).subarray(0, LENGTH));
}
