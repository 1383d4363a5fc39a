import { expect, it } from 'vitest';
import { mkvClip } from '../../../sandbox/index.ts';
import { cuesPosition } from '../../../src/media/matroska/cues-position.ts';
import { sizeBytes } from '../../../src/media/matroska/ebml.ts';

/** Elements after RFC 8794 and RFC 9559, made here. */
const element = (id: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id, 'hex'), sizeBytes(body.length, 4) ?? Buffer.alloc(0), body]);
};
const seek = (id: string, position: number) =>
  element(
    '4dbb',
    element('53ab', Buffer.from(id, 'hex')),
    element('53ac', Buffer.from(position.toString(16).padStart(8, '0'), 'hex')),
  );
const CUES = '1c53bb6b';
const INFO = '1549a966';
const HEAD = element('1a45dfa3', element('4282', Buffer.from('matroska')));
const UNKNOWN_SIZE = Buffer.from('18538067' + '01ffffffffffffff', 'hex');

const file = (...children: readonly Buffer[]) => Buffer.concat([HEAD, UNKNOWN_SIZE, ...children]);
const DATA = HEAD.length + UNKNOWN_SIZE.length;

it('is where the SeekHead says, counted from the content of the Segment', () => {
  const seekHead = element('114d9b74', seek(INFO, 99), seek(CUES, 123_456_789));
  expect(cuesPosition(file(seekHead))).toBe(DATA + 123_456_789);
  expect(cuesPosition(file(element('ec', Buffer.alloc(50)), seekHead))).toBe(DATA + 123_456_789);
});

it.each([
  ['no SeekHead', file(element(INFO, Buffer.alloc(9)))],
  ['a SeekHead without the Cues', file(element('114d9b74', seek(INFO, 99)))],
  [
    'a SeekHead behind the first Cluster',
    file(element('1f43b675', Buffer.alloc(9)), element('114d9b74', seek(CUES, 1))),
  ],
  ['an MP4', Buffer.from('000000186674797069736f6d', 'hex')],
  ['nothing', Buffer.alloc(0)],
  ['zeros', Buffer.alloc(1000)],
])('is nowhere in %s', (_what, bytes) => {
  expect(cuesPosition(bytes)).toBeUndefined();
});

it('of a head that is cut at any byte is right or unknown', () => {
  const whole = file(element('114d9b74', seek(CUES, 77)));
  for (let end = 0; end <= whole.length; end++)
    expect([undefined, DATA + 77]).toContain(cuesPosition(whole.subarray(0, end)));
});

it('is found in the film of the sandbox, when it names its Cues', () => {
  const clip = mkvClip({ name: 'Sintel', seconds: 60, size: 20_000_000 });
  const place = cuesPosition(clip.read(0, 65_536));
  if (place !== undefined) expect(Buffer.from(clip.read(place, place + 4)).toString('hex')).toBe(CUES);
});
