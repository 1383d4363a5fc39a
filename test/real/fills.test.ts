import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Hole } from '../../src/media/fill-types.ts';
import { type Root, rootOrSkip, runInRoot } from '../../tools/debian-root/index.ts';
import { inMemory, patched, plan } from '../media/holes.ts';
import { elementsOf, isBlock, isCluster, touches } from '../media/matroska/film.ts';

const root = await rootOrSkip('holes in films as the real ffmpeg takes them');

const SECONDS = 24;
const FRAMES_PER_SECOND = 24;
/** As dense as a film in high definition: an article is half a second. */
const VIDEO = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-b:v',
  '12M',
  '-g',
  '96',
  '-bf',
  '0',
  '-pix_fmt',
  'yuv420p',
];
const SUBTITLES = Array.from(
  { length: SECONDS },
  (_, n) =>
    `${n + 1}\n00:00:${String(n).padStart(2, '0')},100 --> 00:00:${String(n).padStart(2, '0')},900\nLine ${n}\n`,
).join('\n');

interface Muxed {
  readonly name: string;
  readonly mime: string;
  /** What ffmpeg makes it of, and how. */
  readonly input?: string;
  readonly options: readonly string[];
  /** Clusters much larger than an article, as most films have them. */
  readonly larger?: boolean;
}

const MATROSKA: readonly Muxed[] = [
  { name: 'film.mkv', mime: 'video/x-matroska', options: [], larger: true },
  { name: 'small-clusters.mkv', mime: 'video/x-matroska', options: ['-cluster_size_limit', '300000'] },
  { name: 'live.mkv', mime: 'video/x-matroska', options: ['-live', '1'] },
  {
    name: 'subtitles.mkv',
    mime: 'video/x-matroska',
    options: ['-i', 'lines.srt', '-map', '0', '-map', '1'],
    larger: true,
  },
  { name: 'film.webm', mime: 'video/webm', input: 'vp8.webm', options: [], larger: true },
];
const LARGER = MATROSKA.filter(({ larger }) => larger);
const OTHERS: readonly Muxed[] = [
  { name: 'film.ts', mime: 'video/mp2t', options: [] },
  { name: 'film.m2ts', mime: 'video/mp2t', options: ['-f', 'mpegts', '-mpegts_m2ts_mode', '1'] },
  { name: 'film.mp4', mime: 'video/mp4', options: [] },
];

/** Bytes of a usual article. */
const ARTICLE = 716_800;
/** The Cluster in the middle, up to where the next one begins. */
function middleCluster(bytes: Buffer): { readonly start: number; readonly end: number } {
  const starts = elementsOf(bytes)
    .filter(isCluster)
    .map(({ start }) => start);
  const middle = Math.floor(starts.length / 2);
  return { start: starts[middle] ?? 0, end: starts[middle + 1] ?? bytes.length };
}

function holeWithin(bytes: Buffer): Hole {
  const { start, end } = middleCluster(bytes);
  const first = start + Math.floor((end - start) / 8);
  return { first, last: first + ARTICLE - 1 };
}

function holeOverBorder(bytes: Buffer): Hole {
  const first = middleCluster(bytes).end - Math.floor(ARTICLE / 3);
  return { first, last: first + ARTICLE - 1 };
}

let folder = '';
beforeAll(async () => {
  if (root === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'slipstream-fills-'));
  writeFileSync(join(folder, 'lines.srt'), SUBTITLES);
  const inputs = [
    ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=${FRAMES_PER_SECOND},noise=alls=40:allf=t`],
    ...['-f', 'lavfi', '-i', 'sine=f=440:r=48000', '-t', String(SECONDS)],
  ];
  await ffmpeg(root, [...inputs, ...VIDEO, '-c:a', 'aac', 'source.mkv']);
  const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '12M', '-g', '96'];
  await ffmpeg(root, [...inputs, ...vp8, '-c:a', 'libopus', 'vp8.webm']);
});
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true });
});

async function ffmpeg(inside: Root, args: readonly string[]): Promise<Buffer> {
  const command = ['ffmpeg', '-v', 'error', '-y', ...args];
  const { stdout } = await runInRoot(inside, command, { binds: [{ from: folder }], cwd: folder });
  return stdout;
}

/** What comes out of a file: checksums by stream and presentation time, in ticks of the container. */
async function framesOf(inside: Root, name: string, output: readonly string[]): Promise<Map<string, string>> {
  const input = ['-copyts', '-flags', '+output_corrupt', '-i', name];
  const stdout = await ffmpeg(inside, [...input, ...output, '-f', 'framecrc', '-']);
  const lines = stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const fields = lines.map((line) => line.split(/,\s*/));
  return new Map(fields.map(([stream = '', , time = '', , , sum = '']) => [`${stream} ${time}`, sum]));
}

const PACKETS = ['-map', '0', '-c', 'copy'];
const PICTURES = ['-map', '0:v', '-fps_mode', 'passthrough', '-enc_time_base', 'demux'];

interface Outcome {
  /** Packets of all streams that never came out of the container. */
  readonly packets: number;
  /** Pictures that were never shown. */
  readonly pictures: number;
  /** Whether the last picture was. */
  readonly toTheEnd: boolean;
}

interface Film {
  readonly packets: ReadonlyMap<string, string>;
  readonly pictures: ReadonlyMap<string, string>;
}

async function filmOf(inside: Root, name: string): Promise<Film> {
  return { packets: await framesOf(inside, name, PACKETS), pictures: await framesOf(inside, name, PICTURES) };
}

function outcome(original: Film, got: Film): Outcome {
  const missing = (kind: keyof Film) =>
    [...original[kind].keys()].filter((key) => !got[kind].has(key)).length;
  return {
    packets: missing('packets'),
    pictures: missing('pictures'),
    toTheEnd: [...got.pictures.keys()].at(-1) === [...original.pictures.keys()].at(-1),
  };
}

interface Whole {
  readonly bytes: Buffer;
  readonly original: Film;
}

describe.runIf(root)('a hole, in the real ffmpeg', () => {
  const inside = root!;

  /** A film, and what ffmpeg makes of it while it is whole. */
  async function mux({ name, input = 'source.mkv', options }: Muxed): Promise<Whole> {
    await ffmpeg(inside, ['-i', input, ...options, '-c', 'copy', name]);
    return { bytes: readFileSync(join(folder, name)), original: await filmOf(inside, name) };
  }

  /** What ffmpeg makes of the film with the hole filled, and with zeros in it. */
  async function judge({ name, mime }: Muxed, { bytes, original }: Whole, hole: Hole) {
    const fill = await plan(mime, inMemory(bytes), hole);
    if ('refused' in fill) throw new Error(fill.refused);
    writeFileSync(join(folder, `filled-${name}`), patched(bytes, fill));
    writeFileSync(join(folder, `zeroed-${name}`), Buffer.from(bytes).fill(0, hole.first, hole.last + 1));
    const filled = outcome(original, await filmOf(inside, `filled-${name}`));
    const zeroed = outcome(original, await filmOf(inside, `zeroed-${name}`));
    console.log(name, hole.last - hole.first + 1, { how: fill.how, filled, zeroed });
    return { fill, filled, zeroed };
  }

  it.each(LARGER)('costs little more than was in it: $name', async (film) => {
    const whole = await mux(film);
    const hole = holeWithin(whole.bytes);
    const { fill, filled, zeroed } = await judge(film, whole, hole);
    expect(fill.how).toMatch(/^Void/);
    expect(filled.toTheEnd).toBe(true);
    const touched = elementsOf(whole.bytes).filter((each) => isBlock(each) && touches(each, hole));
    expect(filled.packets).toBeLessThanOrEqual(touched.length);
    expect(filled.packets * 3).toBeLessThan(zeroed.packets);
    expect(filled.pictures * 3).toBeLessThan(zeroed.pictures);
  });

  it.each(MATROSKA)('over the border of two clusters costs no more than zeros: $name', async (film) => {
    const whole = await mux(film);
    const { fill, filled, zeroed } = await judge(film, whole, holeOverBorder(whole.bytes));
    expect(fill.how).toMatch(/^Void/);
    expect(filled.toTheEnd).toBe(true);
    expect(filled.packets).toBeLessThanOrEqual(zeroed.packets);
  });

  it.each(OTHERS)('is played over to the end: $name', async (film) => {
    const whole = await mux(film);
    const first = Math.floor(whole.bytes.length * 0.31);
    const { filled } = await judge(film, whole, { first, last: first + ARTICLE - 1 });
    expect(filled.toTheEnd).toBe(true);
  });
});
