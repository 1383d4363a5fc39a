import { describe, expect, it } from 'vitest';
import {
  EndedSessions,
  endedSessionOf,
  MAX_ENDED,
  MAX_ENDED_BYTES,
} from '../../../src/stream-proxy/session/ended-sessions.ts';
import type { SessionRecord } from '../../../src/stream-proxy/session/record.ts';

const idOf = (number: number) => number.toString(16).padStart(32, '0');

const record = (number: number, more: Partial<SessionRecord> = {}): SessionRecord => ({
  id: idOf(number),
  sources: [{ url: 'http://nas:8080/Sintel.mkv', headers: { authorization: 'Basic eDp5' } }],
  validators: {},
  name: 'Sintel.mkv',
  size: 1000,
  mime: 'video/x-matroska',
  fills: [],
  ...more,
});

const idsOf = (ended: EndedSessions) => ended.list().map((session) => session.record.id);

/** Of as much text as that. */
const notesOf = (bytes: number) => ({ notes: 'x'.repeat(bytes) });

describe('of the sessions that have ended', () => {
  it('the last two hundred are kept', () => {
    const ended = new EndedSessions();
    for (let number = 0; number < MAX_ENDED + 5; number++) ended.keep(endedSessionOf(record(number)));
    expect(idsOf(ended)).toEqual(Array.from({ length: MAX_ENDED }, (_, index) => idOf(index + 5)));
  });

  it('no more than 256 KiB are kept: the oldest go first', () => {
    const ended = new EndedSessions();
    for (let number = 0; number < 20; number++)
      ended.keep(endedSessionOf(record(number, notesOf(MAX_ENDED_BYTES / 10))));
    expect(Buffer.byteLength(JSON.stringify(ended.list()))).toBeLessThanOrEqual(MAX_ENDED_BYTES);
    expect(idsOf(ended)).toEqual(Array.from({ length: 9 }, (_, index) => idOf(index + 11)));
  });

  it('one that is larger than that by itself is not kept, and drives out no other', () => {
    const ended = new EndedSessions();
    ended.keep(endedSessionOf(record(1)));
    ended.keep(endedSessionOf(record(2, notesOf(MAX_ENDED_BYTES))));
    expect(idsOf(ended)).toEqual([idOf(1)]);
    ended.keep(endedSessionOf(record(3)));
    expect(idsOf(ended)).toEqual([idOf(1), idOf(3)]);
  });

  it('one that ends again is the newest, and counts once', () => {
    const ended = new EndedSessions();
    for (const number of [1, 2, 1]) ended.keep(endedSessionOf(record(number, notesOf(MAX_ENDED_BYTES / 3))));
    expect(idsOf(ended)).toEqual([idOf(2), idOf(1)]);
  });
});

describe('of a session that has ended', () => {
  it('neither the plan nor what opens a share is kept', () => {
    const subtitles = [
      {
        group: 0,
        name: 'Sintel.srt',
        source: { url: 'http://nas:8080/Sintel.srt', headers: { authorization: 'Basic eDp5' } },
      },
    ];
    const kept = endedSessionOf(record(1, { plan: { link: 'http://indexer/?apikey=k' }, subtitles }));
    expect(kept.wantsCredentials).toBe(true);
    expect(JSON.stringify(kept)).not.toMatch(/eDp5|apikey/);
  });

  it('the address that a service gave is kept as it is', () => {
    const target = { url: 'http://addon:7000/play/k', headers: { 'x-token': 't' } };
    const direct = record(1, { sources: [{ ...target, played: target }], listed: { name: 'Sintel' } });
    expect(endedSessionOf(direct)).toEqual({ record: direct, wantsCredentials: false });
  });
});
