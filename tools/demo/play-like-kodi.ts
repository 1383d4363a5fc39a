import { get, type IncomingMessage } from 'node:http';
import type { Clip } from '../../sandbox/index.ts';
import type { Stage } from './stages.ts';

/** What Kodi reads at the end of a Matroska file before its first seek. */
const TAIL = 131_072;
const SEEKS = 5;
const SEEK_BYTES = 4_000_000;
const OPEN_BYTES = 1_000_000;

/**
 * Reads a stream as Kodi 21 does (open at 0, the tail, seeks with open-ended ranges, then through to the end) and
 * compares every byte with the source. @throws at the first byte that differs, is missing or too many
 */
export async function playLikeKodi(url: string, clip: Clip): Promise<Stage[]> {
  const stages: Stage[] = [];
  const timed = async (
    name: string,
    detail: (bytes: number, ms: number) => string,
    work: () => Promise<number>,
  ) => {
    const started = performance.now();
    const bytes = await work();
    const ms = performance.now() - started;
    stages.push({ name, ms, detail: detail(bytes, ms) });
  };
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  await timed('open', megabytes, () => readAndCompare(url, clip, 0, OPEN_BYTES));
  await timed('read the tail', megabytes, () => readAndCompare(url, clip, clip.size - TAIL, TAIL));
  for (let seek = 1; seek <= SEEKS; seek++) {
    // Spread over the film, forwards and backwards.
    const start = Math.floor(clip.size * ((seek * 0.37) % 0.97));
    await timed(`seek to ${Math.round((start / clip.size) * 100)} %`, megabytes, () =>
      readAndCompare(url, clip, start, SEEK_BYTES),
    );
  }
  await timed(
    'read to the end',
    (bytes, ms) => `${megabytes(bytes)}, ${(bytes / 1000 / ms).toFixed(0)} MB/s with the comparison`,
    () => readAndCompare(url, clip, 0, clip.size),
  );
  return stages;
}

/** Opens at `start` with an open end, reads `wanted` bytes and hangs up. */
async function readAndCompare(url: string, clip: Clip, start: number, wanted: number): Promise<number> {
  const end = Math.min(clip.size, start + wanted);
  const response = await open(url, start);
  let at = start;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, end - at);
      if (Buffer.compare(part, clip.read(at, at + part.length)) !== 0) {
        throw new Error(`the bytes from ${at} to ${at + part.length} differ from the source`);
      }
      at += part.length;
      if (at >= end && end < clip.size) break;
    }
  } finally {
    response.destroy();
  }
  if (at !== end) throw new Error(`the stream ended at byte ${at} instead of ${end}`);
  return end - start;
}

function open(url: string, start: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { range: `bytes=${start}-` } }, (response) => {
      if (response.statusCode === 206) resolve(response);
      else reject(new Error(`byte ${start} was answered with status ${response.statusCode}`));
    }).once('error', reject);
  });
}
