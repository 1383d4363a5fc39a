import { box, fullBox, u32, zeros } from '../../clips/boxes.ts';
import { clipOf } from '../../clips/clip.ts';
import type { Answer } from '../../http/types.ts';
import { UNEXPECTED } from './answers.ts';

/** What a failure is called at its address; of the others only the names are known. */
const SIZES: Readonly<Record<string, number>> = { download_failed: 19_856, '500': 21_982 };
const OTHERS = [
  ...['no_matching_file', 'downloading', '401', '403', 'payment_required', '429', 'store_limit_exceeded'],
  ...['content_proxy_limit_reached', 'unavailable_for_legal_reasons', '200'],
];
const SECONDS = 120;

/** The clip that a play ends in whose release failed; it says that it lasts two minutes. */
export function clipAnswer(path: string, request: Readonly<Record<string, string>>): Answer | undefined {
  const name = /^\/static\/(\w+)\.mp4$/.exec(path)?.[1] ?? '';
  const size = SIZES[name] ?? (OTHERS.includes(name) ? 20_000 : undefined);
  if (size === undefined) return undefined;
  const clip = clipOf(`${name}.mp4`, size, () => [{ start: 0, bytes: HEAD }]);
  const headers = {
    'accept-ranges': 'bytes',
    'cache-control': 'public, max-age=0',
    'last-modified': 'Sun, 22 Nov 2026 15:23:38 GMT',
    etag: `W/"${size.toString(16)}-1a203db11c6"`,
  };
  const [, from, to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request['range'] ?? '') ?? [];
  const type = { 'content-type': 'video/mp4' };
  if (from === undefined)
    return { status: 200, headers: { ...headers, ...type }, body: { clip, start: 0, end: size } };
  const start = Number(from);
  if (start >= size) return behindItsEnd(size, headers);
  const end = to === '' ? size : Math.min(size, Number(to) + 1);
  const range = { 'content-range': `bytes ${start}-${end - 1}/${size}` };
  return { status: 206, headers: { ...headers, ...type, ...range }, body: { clip, start, end } };
}

/** An error of its own in place of 416. */
function behindItsEnd(size: number, headers: Readonly<Record<string, string>>): Answer {
  return {
    ...UNEXPECTED,
    headers: {
      ...headers,
      'content-type': 'video/mp4; charset=utf-8',
      'content-range': `bytes */${size}`,
    },
  };
}

/** Times, time scale and duration; rate, volume and the rest stay 0. */
const MVHD = fullBox('mvhd', 0, u32(0, 0, 1000, SECONDS * 1000), zeros(80));
const HEAD = Buffer.concat([
  box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isomiso2avc1mp41')),
  box('moov', MVHD),
]);
