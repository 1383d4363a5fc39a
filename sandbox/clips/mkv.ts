import { type Clip, clipOf, type Part } from './clip.ts';
import { element, float, header, ID, idBytes, text, uint } from './ebml.ts';
import { AUDIO_FRAMES_PER_SEED, type Second, seedSeconds } from './seconds.ts';
import {
  FRAMES_PER_SECOND,
  HEIGHT,
  SAMPLE_RATE,
  SAMPLES_PER_AUDIO_FRAME,
  SEED_SECONDS,
  seed,
  WIDTH,
} from './seed.ts';

const VIDEO_TRACK = 1;
const AUDIO_TRACK = 2;
/** Ticks are milliseconds. */
const TIMESTAMP_SCALE = 1_000_000;
const HEADER_ROOM = 1024;
const VOID_HEADER = header(ID.void, 0).length;

export interface MkvOptions {
  readonly name: string;
  /** Playing time, whole seconds. */
  readonly seconds: number;
  /** Bytes of the whole file. */
  readonly size: number;
  /** Each cluster is padded within its key frame, so that a player reads every byte; a Void is skipped by a seek. */
  readonly filled?: boolean;
}

/**
 * A Matroska file: SeekHead, Info, Tracks, one cluster of equal size per second (padded by a Void), Cues at the end.
 * @throws RangeError when the size cannot hold the seconds.
 */
export function mkvClip({ name, seconds, size, filled = false }: MkvOptions): Clip {
  const parts = filled ? filledClusterParts : clusterParts;
  const plan = planOf(size, seconds);
  const front = frontOf(plan, seconds, name);
  const templates = seedSeconds().map(clusterBlocks);
  const room = plan.clusterSize - clusterHead(0, plan.clusterSize).length - VOID_HEADER;
  if (templates.some((blocks) => blocks.length > room))
    throw new RangeError(`${size} bytes are too few for ${seconds} seconds.`);
  return clipOf(name, size, function* (start, end) {
    yield { start: 0, bytes: front };
    const first = Math.max(0, Math.floor((start - plan.clusters) / plan.clusterSize));
    for (let n = first; n < seconds && clusterAt(plan, n) < end; n++) {
      const blocks = templates[n % SEED_SECONDS] ?? Buffer.alloc(0);
      yield* parts(clusterAt(plan, n), n, plan.clusterSize, blocks);
    }
    if (end > plan.filler) yield* tailParts(plan, seconds, start, end);
  });
}

interface Plan {
  /** Where the segment's content begins: Matroska counts its positions from there. */
  readonly segment: number;
  readonly clusters: number;
  readonly clusterSize: number;
  /** A Void that takes up what does not divide evenly. */
  readonly filler: number;
  readonly cues: number;
  readonly size: number;
}

function planOf(size: number, seconds: number): Plan {
  const segment = ebmlHeader().length + header(ID.segment, 0).length;
  const clusters = segment + HEADER_ROOM;
  const cues = size - header(ID.cues, 0).length - seconds * CUE_SIZE;
  const clusterSize = Math.floor((cues - VOID_HEADER - clusters) / seconds);
  return { segment, clusters, clusterSize, filler: clusters + seconds * clusterSize, cues, size };
}

const clusterAt = (plan: Plan, n: number) => plan.clusters + n * plan.clusterSize;

function frontOf(plan: Plan, seconds: number, name: string): Buffer {
  const info = element(
    ID.info,
    uint(ID.timestampScale, TIMESTAMP_SCALE),
    float(ID.duration, seconds * 1000),
    text(ID.title, name.replace(/\.[^.]*$/, '').slice(0, 100)),
    text(ID.muxingApp, 'sandbox'),
    text(ID.writingApp, 'sandbox'),
  );
  const tracks = element(ID.tracks, videoTrack(), audioTrack());
  const seek = (id: number, position: number) =>
    element(ID.seek, element(ID.seekId, idBytes(id)), uint(ID.seekPosition, position));
  const seekHeadSize = element(ID.seekHead, seek(ID.info, 0), seek(ID.tracks, 0), seek(ID.cues, 0)).length;
  const seekHead = element(
    ID.seekHead,
    seek(ID.info, seekHeadSize),
    seek(ID.tracks, seekHeadSize + info.length),
    seek(ID.cues, plan.cues - plan.segment),
  );
  const used = Buffer.concat([seekHead, info, tracks]);
  const rest = header(ID.void, HEADER_ROOM - used.length - VOID_HEADER);
  return Buffer.concat([ebmlHeader(), header(ID.segment, plan.size - plan.segment), used, rest]);
}

function ebmlHeader(): Buffer {
  return element(
    ID.ebml,
    text(ID.docType, 'matroska'),
    uint(ID.docTypeVersion, 4),
    uint(ID.docTypeReadVersion, 2),
  );
}

function videoTrack(): Buffer {
  return element(
    ID.trackEntry,
    uint(ID.trackNumber, VIDEO_TRACK),
    uint(ID.trackUid, VIDEO_TRACK),
    uint(ID.trackType, 1),
    uint(ID.flagLacing, 0),
    text(ID.codecId, 'V_MPEG4/ISO/AVC'),
    element(ID.codecPrivate, seed().avcConfig),
    uint(ID.defaultDuration, Math.round(1e9 / FRAMES_PER_SECOND)),
    element(ID.video, uint(ID.pixelWidth, WIDTH), uint(ID.pixelHeight, HEIGHT)),
  );
}

function audioTrack(): Buffer {
  return element(
    ID.trackEntry,
    uint(ID.trackNumber, AUDIO_TRACK),
    uint(ID.trackUid, AUDIO_TRACK),
    uint(ID.trackType, 2),
    uint(ID.flagLacing, 0),
    text(ID.language, 'eng'),
    text(ID.codecId, 'A_AAC'),
    element(ID.codecPrivate, seed().aacConfig),
    element(ID.audio, float(ID.samplingFrequency, SAMPLE_RATE), uint(ID.channels, 1)),
  );
}

function clusterHead(n: number, clusterSize: number): Buffer {
  const content = clusterSize - header(ID.cluster, 0).length;
  return Buffer.concat([header(ID.cluster, content), uint(ID.timestamp, n * 1000)]);
}

function* clusterParts(start: number, n: number, size: number, blocks: Buffer): Iterable<Part> {
  const head = clusterHead(n, size);
  yield { start, bytes: head };
  yield { start: start + head.length, bytes: blocks };
  const rest = size - head.length - blocks.length - VOID_HEADER;
  yield { start: start + head.length + blocks.length, bytes: header(ID.void, rest) };
}

/** The first block, a key frame, ends with a NAL unit of filler that takes up what the others leave. */
function* filledClusterParts(start: number, n: number, size: number, blocks: Buffer): Iterable<Part> {
  const head = clusterHead(n, size);
  const blockHead = header(ID.simpleBlock, 0).length;
  const first = keyFrames()[n % SEED_SECONDS] ?? 0;
  const filler = size - head.length - blocks.length - FILLER_HEAD;
  const unit = Buffer.alloc(FILLER_HEAD);
  unit.writeUInt32BE(filler + 1);
  unit.writeUInt8(FILLER_UNIT, FILLER_HEAD - 1);
  const key = [
    header(ID.simpleBlock, first - blockHead + FILLER_HEAD + filler),
    blocks.subarray(blockHead, first),
    unit,
    // Not the padding: its stamps would read as start codes.
    Buffer.alloc(filler, 0xff),
  ];
  yield { start, bytes: Buffer.concat([head, ...key]) };
  const others = blocks.subarray(first);
  yield { start: start + size - others.length, bytes: others };
}

/** Length and type of a NAL unit that decoders pass over. */
const FILLER_HEAD = 5;
const FILLER_UNIT = 12;

/** How long the block of each second's key frame is, with its head. */
function keyFrames(): readonly number[] {
  const heads = header(ID.simpleBlock, 0).length + BLOCK_HEAD;
  return seedSeconds().map(({ video: [key] }) => heads + (key?.length ?? 0));
}

/** Track, time and flags of a block. */
const BLOCK_HEAD = 4;

/** The blocks of one second in order of time; their times count from the cluster's. */
function clusterBlocks(second: Second, n: number): Buffer {
  const pictures = second.video.map((bytes, i) => ({
    time: Math.round((i * 1000) / FRAMES_PER_SECOND),
    track: VIDEO_TRACK,
    key: i === 0,
    bytes,
  }));
  const sounds = second.audio.map((bytes, i) => ({
    time: audioTime(second.firstAudio + i) - n * 1000,
    track: AUDIO_TRACK,
    key: true,
    bytes,
  }));
  const blocks = [...pictures, ...sounds].sort((a, b) => a.time - b.time || a.track - b.track);
  return Buffer.concat(
    blocks.map(({ time, track, key, bytes }) =>
      element(ID.simpleBlock, Buffer.from([0x80 | track, time >> 8, time & 0xff, key ? 0x80 : 0]), bytes),
    ),
  );
}

function audioTime(frame: number): number {
  return Math.round(
    ((frame % AUDIO_FRAMES_PER_SEED) * SAMPLES_PER_AUDIO_FRAME * 1000) / SAMPLE_RATE +
      Math.floor(frame / AUDIO_FRAMES_PER_SEED) * SEED_SECONDS * 1000,
  );
}

function cuePoint(time: number, position: number): Buffer {
  return element(
    ID.cuePoint,
    uint(ID.cueTime, time),
    element(ID.cueTrackPositions, uint(ID.cueTrack, VIDEO_TRACK), uint(ID.cueClusterPosition, position)),
  );
}

const CUE_SIZE = cuePoint(0, 0).length;

function* tailParts(plan: Plan, seconds: number, start: number, end: number): Iterable<Part> {
  yield { start: plan.filler, bytes: header(ID.void, plan.cues - plan.filler - VOID_HEADER) };
  const head = header(ID.cues, seconds * CUE_SIZE);
  yield { start: plan.cues, bytes: head };
  const points = plan.cues + head.length;
  const first = Math.max(0, Math.floor((start - points) / CUE_SIZE));
  for (let n = first; n < seconds && points + n * CUE_SIZE < end; n++) {
    yield {
      start: points + n * CUE_SIZE,
      bytes: cuePoint(n * 1000, clusterAt(plan, n) - plan.segment),
    };
  }
}
