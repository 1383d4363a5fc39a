import { readFileSync } from 'node:fs';

/** Eight seconds of picture and sound as containers store them; see README.md for their origin. */
export interface Seed {
  /** Pictures in decoding order, each as length-prefixed NAL units. The first of every 24 is a key frame. */
  readonly video: readonly Uint8Array[];
  readonly audio: readonly Uint8Array[];
  /** The AVCDecoderConfigurationRecord. */
  readonly avcConfig: Uint8Array;
  /** The AudioSpecificConfig. */
  readonly aacConfig: Uint8Array;
}

export const SEED_SECONDS = 8;
export const FRAMES_PER_SECOND = 24;
export const WIDTH = 320;
export const HEIGHT = 180;
export const SAMPLE_RATE = 48_000;
export const SAMPLES_PER_AUDIO_FRAME = 1024;

const NAL = { sps: 7, pps: 8, delimiter: 9 };
const ADTS_HEADER = 7;

let loaded: Seed | undefined;

/** Read once; every clip repeats the same few kilobytes. */
export function seed(): Seed {
  loaded ??= {
    ...parseVideo(readFileSync(new URL('./seed.h264', import.meta.url))),
    ...parseAudio(readFileSync(new URL('./seed.aac', import.meta.url))),
  };
  return loaded;
}

function parseVideo(stream: Buffer): Pick<Seed, 'video' | 'avcConfig'> {
  const pictures: Buffer[][] = [];
  let sps: Uint8Array = new Uint8Array();
  let pps: Uint8Array = new Uint8Array();
  for (const unit of nalUnits(stream)) {
    const type = unit.readUInt8(0) & 0x1f;
    if (type === NAL.delimiter) pictures.push([]);
    else pictures.at(-1)?.push(unit);
    if (type === NAL.sps) sps = unit;
    if (type === NAL.pps) pps = unit;
  }
  return { video: pictures.map((units) => lengthPrefixed(units)), avcConfig: avcConfig(sps, pps) };
}

function* nalUnits(stream: Buffer): Generator<Buffer> {
  const startCode = Buffer.from([0, 0, 1]);
  let from = stream.indexOf(startCode);
  while (from !== -1) {
    const next = stream.indexOf(startCode, from + 3);
    let end = next === -1 ? stream.length : next;
    // A four-byte start code leaves its first zero behind, and no unit ends in one.
    while (stream[end - 1] === 0) end--;
    yield stream.subarray(from + 3, end);
    from = next;
  }
}

function lengthPrefixed(units: readonly Buffer[]): Buffer {
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}

function avcConfig(sps: Uint8Array, pps: Uint8Array): Buffer {
  const length = (unit: Uint8Array) => Buffer.from([unit.length >> 8, unit.length & 0xff]);
  // Version 1, profile, compatibility and level out of the SPS, four-byte lengths, one SPS, one PPS.
  const head = Buffer.concat([Buffer.from([1]), sps.subarray(1, 4), Buffer.from([0xff, 0xe1])]);
  return Buffer.concat([head, length(sps), sps, Buffer.from([1]), length(pps), pps]);
}

function parseAudio(stream: Buffer): Pick<Seed, 'audio' | 'aacConfig'> {
  const audio: Buffer[] = [];
  for (let at = 0; at + ADTS_HEADER <= stream.length; ) {
    const length = (stream.readUInt32BE(at + 2) >>> 5) & 0x1fff || stream.length;
    audio.push(stream.subarray(at + ADTS_HEADER, at + length));
    at += length;
  }
  // AAC-LC (2), 48 kHz (index 3), one channel: 00010 0011 0001 000.
  return { audio, aacConfig: Buffer.from([0x11, 0x88]) };
}
