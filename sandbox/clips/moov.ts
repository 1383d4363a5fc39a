import { box, fullBox, table32, table64, UNITY_MATRIX, u16, u32, zeros } from './boxes.ts';
import type { Second } from './seconds.ts';
import {
  FRAMES_PER_SECOND,
  HEIGHT,
  SAMPLE_RATE,
  SAMPLES_PER_AUDIO_FRAME,
  SEED_SECONDS,
  seed,
  WIDTH,
} from './seed.ts';

const MOVIE_TIMESCALE = 1000;

/** Where the second's samples are: first its pictures, then its audio frames, each as one chunk. */
export interface ChunkPlan {
  readonly seconds: number;
  readonly seedSeconds: readonly Second[];
  /** Offset in the file of second `n`. */
  readonly chunkAt: (n: number) => number;
  /** 64-bit chunk offsets. */
  readonly wide: boolean;
}

interface Track {
  readonly id: number;
  readonly timescale: number;
  readonly delta: number;
  readonly handler: string;
  readonly mediaHeader: Buffer;
  readonly entry: Buffer;
  readonly samples: (second: Second) => readonly Uint8Array[];
  /** Bytes of the second before this track's chunk. */
  readonly before: (second: Second) => number;
  /** Every how many samples one can be entered; 1: each. */
  readonly keyInterval: number;
  readonly width: number;
  readonly height: number;
}

/** The index of the whole film. */
export function moov(plan: ChunkPlan): Buffer {
  const duration = plan.seconds * MOVIE_TIMESCALE;
  const mvhd = fullBox(
    'mvhd',
    0,
    u32(0, 0, MOVIE_TIMESCALE, duration, 0x10000),
    u16(0x100, 0),
    zeros(8),
    UNITY_MATRIX,
    zeros(24),
    u32(3),
  );
  return box('moov', mvhd, trak(videoTrack(), plan), trak(audioTrack(), plan));
}

export function bytesOf(samples: readonly Uint8Array[]): number {
  return samples.reduce((sum, sample) => sum + sample.length, 0);
}

function videoTrack(): Track {
  const avc1 = box(
    'avc1',
    zeros(6),
    u16(1),
    zeros(16),
    u16(WIDTH, HEIGHT),
    u32(0x480000, 0x480000, 0),
    u16(1),
    zeros(32),
    u16(0x18, 0xffff),
    box('avcC', seed().avcConfig),
  );
  return {
    id: 1,
    timescale: FRAMES_PER_SECOND,
    delta: 1,
    handler: 'vide',
    mediaHeader: fullBox('vmhd', 1, zeros(8)),
    entry: avc1,
    samples: (second) => second.video,
    before: () => 0,
    keyInterval: FRAMES_PER_SECOND,
    width: WIDTH,
    height: HEIGHT,
  };
}

function audioTrack(): Track {
  const mp4a = box(
    'mp4a',
    zeros(6),
    u16(1),
    zeros(8),
    u16(1, 16),
    zeros(4),
    u16(SAMPLE_RATE, 0),
    fullBox('esds', 0, elementaryStream(seed().aacConfig)),
  );
  return {
    id: 2,
    timescale: SAMPLE_RATE,
    delta: SAMPLES_PER_AUDIO_FRAME,
    handler: 'soun',
    mediaHeader: fullBox('smhd', 0, zeros(4)),
    entry: mp4a,
    samples: (second) => second.audio,
    before: (second) => bytesOf(second.video),
    keyInterval: 1,
    width: 0,
    height: 0,
  };
}

/** The MPEG-4 descriptors (ISO/IEC 14496-1): stream, decoder (AAC in an audio stream), its configuration, SL. */
function elementaryStream(config: Uint8Array): Buffer {
  const descriptor = (tag: number, ...content: readonly Uint8Array[]) => {
    const body = Buffer.concat(content);
    return Buffer.concat([Buffer.from([tag, body.length]), body]);
  };
  const decoder = descriptor(
    4,
    Buffer.from([0x40, 0x15, 0, 0, 0]),
    u32(35_000, 35_000),
    descriptor(5, config),
  );
  return descriptor(3, Buffer.from([0, 2, 0]), decoder, descriptor(6, Buffer.from([2])));
}

function trak(track: Track, plan: ChunkPlan): Buffer {
  const duration = plan.seconds * MOVIE_TIMESCALE;
  const tkhd = fullBox(
    'tkhd',
    3,
    u32(0, 0, track.id, 0, duration),
    zeros(12),
    u16(track.handler === 'soun' ? 0x100 : 0, 0),
    UNITY_MATRIX,
    u32(track.width << 16, track.height << 16),
  );
  const length = sampleCount(track, plan) * track.delta;
  const mdhd = fullBox('mdhd', 0, u32(0, 0, track.timescale, length), u16(0x55c4, 0));
  const hdlr = fullBox('hdlr', 0, zeros(4), Buffer.from(track.handler), zeros(12), Buffer.from('Sandbox\0'));
  const dinf = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
  return box(
    'trak',
    tkhd,
    box('mdia', mdhd, hdlr, box('minf', track.mediaHeader, dinf, sampleTable(track, plan))),
  );
}

function sampleTable(track: Track, plan: ChunkPlan): Buffer {
  const all = seconds(plan);
  const count = sampleCount(track, plan);
  const sizes = new Map(plan.seedSeconds.map((second) => [second, sizeTable(track.samples(second))]));
  const offsets = all.map((second, n) => plan.chunkAt(n) + track.before(second));
  return box(
    'stbl',
    fullBox('stsd', 0, u32(1), track.entry),
    fullBox('stts', 0, u32(1, count, track.delta)),
    ...(track.keyInterval === 1 ? [] : [keyFrames(count, track.keyInterval)]),
    samplesPerChunk(track, all),
    fullBox('stsz', 0, u32(0, count), ...all.map((second) => sizes.get(second) ?? zeros(0))),
    plan.wide
      ? fullBox('co64', 0, u32(offsets.length), table64(offsets))
      : fullBox('stco', 0, u32(offsets.length), table32(offsets)),
  );
}

function sampleCount(track: Track, plan: ChunkPlan): number {
  return seconds(plan).reduce((sum, second) => sum + track.samples(second).length, 0);
}

function sizeTable(samples: readonly Uint8Array[]): Buffer {
  return table32(samples.map((sample) => sample.length));
}

function keyFrames(count: number, interval: number): Buffer {
  const keys = Array.from({ length: Math.ceil(count / interval) }, (_, n) => n * interval + 1);
  return fullBox('stss', 0, u32(keys.length), table32(keys));
}

/** One entry wherever the number of samples changes: audio frames do not divide evenly into seconds. */
function samplesPerChunk(track: Track, all: readonly Second[]): Buffer {
  const counts = all.map((second) => track.samples(second).length);
  const runs = counts.flatMap((count, n) => (n > 0 && counts[n - 1] === count ? [] : [[n + 1, count, 1]]));
  return fullBox('stsc', 0, u32(runs.length), table32(runs.flat()));
}

function seconds(plan: ChunkPlan): Second[] {
  return Array.from({ length: plan.seconds }, (_, n) => {
    const second = plan.seedSeconds[n % SEED_SECONDS];
    if (second === undefined) throw new RangeError('The seed is short of seconds.');
    return second;
  });
}
