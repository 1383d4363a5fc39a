import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPort, type Port } from '../../sandbox/http/port.ts';
import { send } from '../../sandbox/http/send.ts';
import { type Clip, INFINIDYSK, mkvClip, mp4Clip } from '../../sandbox/index.ts';
import { rangeAnswer } from '../../sandbox/nzbdav/range.ts';
import { type Root, rootOrSkip, runInRoot } from '../../tools/debian-root/index.ts';

const root = await rootOrSkip('the clips in the real ffmpeg');

const GIB = 1024 ** 3;
const SECONDS = 90;
const CLIPS: readonly Clip[] = [5 * GIB + 3, 60_000_001].flatMap((size) => [
  mkvClip({ name: `${size}.mkv`, seconds: SECONDS, size }),
  mp4Clip({ name: `${size}-front.mp4`, seconds: SECONDS, size, index: 'front' }),
  mp4Clip({ name: `${size}-tail.mp4`, seconds: SECONDS, size, index: 'tail' }),
]);

let port: Port;
let served = 0;

// A plain file server that understands ranges as the standard has them.
beforeAll(async () => {
  port = await openPort((req, res) => {
    const clip = CLIPS.find((each) => req.url === `/${each.name}`);
    const answer = rangeAnswer(req.headers.range, clip?.size ?? 0, INFINIDYSK);
    if (clip === undefined || answer.status === 416 || answer.status === 500) {
      res.writeHead(404).end();
      return;
    }
    const { status, start, end, contentRange } = answer;
    const headers = { 'accept-ranges': 'bytes', ...(contentRange && { 'content-range': contentRange }) };
    const options = { head: req.method === 'HEAD', onSent: (bytes: number) => (served += bytes) };
    send(res, { status, headers, body: { clip, start, end } }, options).catch(() => res.destroy());
  });
});
afterAll(() => port.shut());

const run = async (inside: Root, command: readonly string[]) => {
  const { stdout, stderr } = await runInRoot(inside, command);
  expect(stderr).toBe('');
  return stdout.toString();
};

/** The checksum of the picture at a time, found by a seek. */
async function pictureAt(inside: Root, clip: Clip, seconds: number): Promise<string> {
  const input = ['-ss', String(seconds), '-i', `${port.url}/${clip.name}`];
  const output = ['-map', '0:v', '-frames:v', '1', '-f', 'framemd5', '-'];
  const text = await run(inside, ['ffmpeg', '-v', 'error', '-xerror', ...input, ...output]);
  return (
    text
      .trim()
      .split(/[\s,]+/)
      .at(-1) ?? ''
  );
}

describe.runIf(root)('the real ffmpeg', () => {
  const inside = root!;

  it.each(CLIPS)('recognises $name', async (clip) => {
    const entries = 'format=duration,size:stream=codec_name,width,height,sample_rate';
    const text = await run(inside, [
      ...['ffprobe', '-v', 'error', '-of', 'json', '-show_entries', entries],
      `${port.url}/${clip.name}`,
    ]);
    const found = JSON.parse(text) as { format: { duration: string; size: string }; streams: object[] };
    expect(Number(found.format.duration)).toBeCloseTo(SECONDS, 1);
    expect(Number(found.format.size)).toBe(clip.size);
    expect(found.streams).toMatchObject([
      { codec_name: 'h264', width: 320, height: 180 },
      { codec_name: 'aac', sample_rate: '48000' },
    ]);
  });

  it.each(CLIPS.filter((clip) => clip.size < GIB))(
    'decodes $name to the end without a word',
    async (clip) => {
      const output = ['-f', 'null', '-progress', '-', '-'];
      const command = ['ffmpeg', '-v', 'error', '-xerror', '-i', `${port.url}/${clip.name}`, ...output];
      expect(await run(inside, command)).toContain(`frame=${SECONDS * 24}\n`);
    },
  );

  it.each(CLIPS)('seeks in $name by its index, and lands on the right picture', async (clip) => {
    served = 0;
    const late = await pictureAt(inside, clip, 77);
    // An index spares it the way there: far less than the 77 of 90 seconds is read.
    expect(served).toBeLessThan(Math.max(clip.size / 4, 20_000_000));
    // The pictures repeat every eight seconds, and differ within them.
    expect(await pictureAt(inside, CLIPS[3]!, 5)).toBe(late);
    expect(await pictureAt(inside, CLIPS[3]!, 4)).not.toBe(late);
  });
});
