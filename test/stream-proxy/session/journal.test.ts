import { describe, expect, it } from 'vitest';
import { registerSecret } from '../../../src/log/index.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { SessionJournal } from '../../../src/stream-proxy/session/journal.ts';

const whats = (journal: SessionJournal) => journal.decisions.map(({ what }) => what);

describe('decisions', () => {
  it('are told with their reason, and retries are counted', () => {
    const journal = new SessionJournal();
    const failure = new SourceFailure('broken', 'it broke');
    journal.decided(7, failure, { kind: 'retry', pause: 0, reason: 'broken' });
    journal.decided(8, failure, { kind: 'give-up', reason: 'broken: 5 attempts' });
    expect(journal.counters.retries).toBe(1);
    expect(whats(journal)).toEqual([
      'retry at byte 7: broken (it broke)',
      'give-up at byte 8: broken: 5 attempts (it broke)',
    ]);
  });

  it('are the last twenty, each of a bounded length and without secrets', () => {
    registerSecret('open-sesame');
    const journal = new SessionJournal();
    for (let i = 1; i <= 30; i++) journal.note(`${i} open-sesame ${'x'.repeat(1000)}`);
    expect(journal.decisions).toHaveLength(20);
    expect(whats(journal)[0]).toMatch(/^11 /);
    for (const what of whats(journal)) {
      expect(what.length).toBeLessThanOrEqual(300);
      expect(what).not.toContain('sesame');
    }
  });
});

describe('holes', () => {
  it('are counted by the bytes that stand in their place, and by the places that are lost', () => {
    const journal = new SessionJournal();
    journal.filled({ first: 100, last: 199, how: 'zeros', pattern: new Uint8Array(1), pieces: [] });
    journal.filled({ first: 300, last: 300, how: 'zeros', pattern: new Uint8Array(1), pieces: [] });
    journal.lost(500, 'not a film');
    journal.undecided(600);
    expect(journal.counters).toMatchObject({ filled: 101, lost: 1 });
    expect(whats(journal)[0]).toBe('filled bytes 100 to 199: zeros');
    expect(journal.decisions).toHaveLength(4);
  });
});

describe('waits', () => {
  it('tell how long first bytes took: the last one, the median, the slowest', () => {
    const journal = new SessionJournal();
    expect(journal.latency).toBeUndefined();
    for (const ms of [30, 10.04, 20]) journal.waited(ms, true);
    expect(journal.latency).toEqual({ last: 20, median: 20, slowest: 30 });
  });

  it('forget first bytes of long ago', () => {
    const journal = new SessionJournal();
    journal.waited(99_999, true);
    for (let i = 0; i < 50; i++) journal.waited(1, true);
    expect(journal.latency).toEqual({ last: 1, median: 1, slowest: 1 });
  });

  it('are stalls when they are long and come in the middle', () => {
    const journal = new SessionJournal();
    journal.waited(499, false);
    journal.waited(9_999, true);
    expect(journal.counters.stalls).toBe(0);
    journal.waited(500, false);
    expect(journal.counters.stalls).toBe(1);
  });
});
