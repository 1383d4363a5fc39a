import { box, table64, u32 } from './boxes.ts';
import { type Clip, clipOf } from './clip.ts';
import { bytesOf, type ChunkPlan, moov } from './moov.ts';
import { seedSeconds } from './seconds.ts';
import { SEED_SECONDS } from './seed.ts';

const MAX_U32 = 2 ** 32 - 1;

export interface Mp4Options {
  readonly name: string;
  /** Playing time, whole seconds. */
  readonly seconds: number;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Where the moov box stands: before the media ("faststart") or after it. */
  readonly index: 'front' | 'tail';
}

/**
 * An MP4 whose media is one slot of equal size per second: pictures, sound, and a gap that no chunk names.
 * Offsets are 64 bits wide where the file is larger than 4 GiB.
 * @throws RangeError when the size cannot hold the seconds.
 */
export function mp4Clip({ name, seconds, size, index }: Mp4Options): Clip {
  const templates = seedSeconds();
  const slots = templates.map((second) => Buffer.concat([...second.video, ...second.audio]));
  const wide = size > MAX_U32;
  const plan = (mediaAt: number, slot: number): ChunkPlan => {
    return { seconds, seedSeconds: templates, wide, chunkAt: (n) => mediaAt + n * slot };
  };
  const ftyp = box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2avc1mp41'));
  const moovSize = moov(plan(0, 0)).length;
  const mdatAt = ftyp.length + (index === 'front' ? moovSize : 0);
  const mdatSize = size - ftyp.length - moovSize;
  const mdatHead = wide
    ? Buffer.concat([u32(1), Buffer.from('mdat'), table64([mdatSize])])
    : Buffer.concat([u32(Math.max(0, mdatSize)), Buffer.from('mdat')]);
  const media = mdatAt + mdatHead.length;
  const slot = Math.floor((mdatSize - mdatHead.length) / seconds);
  if (templates.some((second) => bytesOf(second.video) + bytesOf(second.audio) > slot))
    throw new RangeError(`${size} bytes are too few for ${seconds} seconds.`);
  const indexBox = moov(plan(media, slot));
  return clipOf(name, size, function* (start, end) {
    yield { start: 0, bytes: ftyp };
    yield { start: index === 'front' ? ftyp.length : size - moovSize, bytes: indexBox };
    yield { start: mdatAt, bytes: mdatHead };
    const first = Math.max(0, Math.floor((start - media) / slot));
    for (let n = first; n < seconds && media + n * slot < end; n++)
      yield { start: media + n * slot, bytes: slots[n % SEED_SECONDS] ?? Buffer.alloc(0) };
  });
}
