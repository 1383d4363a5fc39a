import { get, type IncomingMessage } from 'node:http';
import type { Clip } from '../../sandbox/index.ts';
import type { Stage } from './stages.ts';

/** What Kodi reads at the end of a Matroska file before its first seek. */
const TAIL = 131_072;
const SEEKS = 5;
const SEEK_BYTES = 4_000_000;
const OPEN_BYTES = 1_000_000;

export interface Reading {
  readonly url: string;
  /** What the bytes must be. */
  readonly clip: Clip;
  readonly signal: AbortSignal;
  /** Hears of every part of the whole work, 0 to 1. */
  readonly progress: (fraction: number) => void;
  /** False: only what Kodi reads first, and where it seeks; absent: through to the end as well. */
  readonly toTheEnd?: boolean;
}

/** The stream ended before its end, at byte `at` of the file; everything before was right. */
class BrokenOff extends Error {
  readonly at: number;

  constructor(at: number, cause?: unknown) {
    super(`the stream broke off at byte ${at}`, { cause });
    this.at = at;
  }
}

/**
 * Reads a stream as Kodi 21 does (open at 0, the tail, seeks with open-ended ranges, then through to the end) and
 * compares every byte with the source. @throws at the first byte that differs, is missing or too many
 */
export async function playLikeKodi(reading: Reading): Promise<Stage[]> {
  const { clip, toTheEnd = true } = reading;
  const { size } = clip;
  // Spread over the film, forwards and backwards.
  const seeks = Array.from({ length: SEEKS }, (_, seek) => Math.floor(size * (((seek + 1) * 0.37) % 0.97)));
  const steps = [
    { name: 'open', start: 0, bytes: OPEN_BYTES },
    { name: 'read the tail', start: size - TAIL, bytes: TAIL },
    ...seeks.map((start) => ({
      name: `seek to ${Math.round((start / size) * 100)} %`,
      start,
      bytes: SEEK_BYTES,
    })),
    ...(toTheEnd ? [{ name: 'read to the end', start: 0, bytes: size }] : []),
  ];
  const total = steps.reduce((sum, { bytes }) => sum + bytes, 0);
  const stages: Stage[] = [];
  let done = 0;
  for (const { name, start, bytes } of steps) {
    const started = performance.now();
    const read = await readAndCompare(reading, start, bytes, (part) => {
      reading.progress((done + part) / total);
    });
    done += bytes;
    stages.push(stage(name, read, performance.now() - started));
  }
  return stages;
}

/**
 * Reads a film whose articles are gone from somewhere on: everything before must be right, and the connection must
 * break there. @throws when a wrong byte arrives, or the end of the file
 */
export async function playDamaged(reading: Reading): Promise<{ stage: Stage; at: number }> {
  const { size } = reading.clip;
  const started = performance.now();
  try {
    await readAndCompare(reading, 0, size, (part) => {
      reading.progress(part / size);
    });
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    const { at } = error;
    return { stage: stage('read until it breaks', at, performance.now() - started), at };
  }
  throw new Error('the damaged film was served to its end');
}

function stage(name: string, bytes: number, ms: number): Stage {
  const rate = bytes > 10 * SEEK_BYTES ? `, ${(bytes / 1000 / ms).toFixed(0)} MB/s with the comparison` : '';
  return { name, ms, detail: `${(bytes / 1e6).toFixed(1)} MB${rate}` };
}

/** Opens at `start` with an open end, reads `wanted` bytes and hangs up. @throws BrokenOff */
async function readAndCompare(
  { url, clip, signal }: Reading,
  start: number,
  wanted: number,
  progress: (read: number) => void,
): Promise<number> {
  const end = Math.min(clip.size, start + wanted);
  const response = await open(url, start, signal);
  let at = start;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, end - at);
      if (Buffer.compare(part, clip.read(at, at + part.length)) !== 0) {
        throw new Error(`the bytes from ${at} to ${at + part.length} differ from the source`);
      }
      at += part.length;
      progress(at - start);
      if (at >= end && end < clip.size) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw isConnectionError(error) ? new BrokenOff(at, error) : error;
  } finally {
    response.destroy();
  }
  if (at !== end) throw new Error(`the stream ended quietly at byte ${at} instead of ${end}`);
  return end - start;
}

const isConnectionError = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET';

function open(url: string, start: number, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { range: `bytes=${start}-` }, signal }, (response) => {
      if (response.statusCode === 206) resolve(response);
      else reject(new Error(`byte ${start} was answered with status ${response.statusCode}`));
    }).once('error', reject);
  });
}
