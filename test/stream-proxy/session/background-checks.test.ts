import { describe, expect, it } from 'vitest';
import { mkvClip } from '../../../sandbox/index.ts';
import { BUFFER_POLICY } from '../../../src/stream-proxy/policy/buffer.ts';
import { SourceFailure } from '../../../src/stream-proxy/policy/failure.ts';
import { POLICIES } from '../../../src/stream-proxy/policy/policies.ts';
import { readRange } from '../../../src/stream-proxy/reader/read-range.ts';
import { BackgroundChecks, indexRange } from '../../../src/stream-proxy/session/background-checks.ts';
import { SessionJournal } from '../../../src/stream-proxy/session/journal.ts';
import type { ByteSource } from '../../../src/stream-proxy/source/source.ts';
import { SimulatedUpstream, simulatedFetcher } from '../reader/simulated.ts';

const MIB = 1024 * 1024;
const HEAD = 64 * 1024;

/** What is fetched of the end of a film so long, which has a cue for each second. */
function fetched(seconds: number, size = 100 * MIB) {
  const clip = mkvClip({ name: 'Sintel.mkv', seconds, size });
  return indexRange(clip.read(0, HEAD), size, BUFFER_POLICY);
}

describe('the index that is fetched', () => {
  it("begins no closer to the end than Kodi's file cache seeks", () => {
    expect(fetched(60)).toEqual({ first: 100 * MIB - 128 * 1024, last: 100 * MIB - 1 });
  });

  it('begins where the Cues do when they are longer than that', () => {
    const { first } = fetched(7200, 600 * MIB);
    expect(first).toBeLessThan(600 * MIB - 128 * 1024);
    expect(first).toBeGreaterThan(600 * MIB - MIB);
  });

  it('is no more than what is kept of the end, and nothing of what is there already', () => {
    const opaque = new Uint8Array(HEAD);
    expect(indexRange(opaque, 100 * MIB, { ...BUFFER_POLICY, indexBytes: 1000 }).first).toBe(
      100 * MIB - 1000,
    );
    expect(indexRange(opaque, HEAD + 10, BUFFER_POLICY).first).toBe(HEAD);
  });
});

describe('the looks after the start', () => {
  const SIZE = 100 * MIB;
  const serving = { look: 'dear', windows: false, zeroFills: false, complete: true } as const;

  /** What they give out, at a server that answers so. */
  async function looked(open: ByteSource['open']) {
    const source: ByteSource = {
      host: 'nas:8080',
      label: 'The file server (nas:8080)',
      validators: undefined,
      serving,
      open,
    };
    const journal = new SessionJournal();
    const told: (number | undefined)[] = [];
    const { fetcher } = simulatedFetcher({ source: new SimulatedUpstream(SIZE), size: SIZE });
    const afterStart = new BackgroundChecks({
      source,
      size: SIZE,
      mime: 'video/mp4',
      head: new Uint8Array(),
      isChecked: false,
      fetcher,
      journal,
      policies: { ...POLICIES, buffer: { ...BUFFER_POLICY, settledAfterBytes: 0 } },
      read: readRange,
      signal: new AbortController().signal,
      onChecked: (place) => told.push(place),
    });
    afterStart.progressed();
    await expect.poll(() => journal.decisions.length, { timeout: 5_000 }).toBeGreaterThan(0);
    await new Promise(setImmediate);
    fetcher.close();
    return told;
  }

  it('are made again by the next engine where the server gave no answer', async () => {
    expect(await looked(() => Promise.reject(new SourceFailure('refused', 'simulated')))).toEqual([]);
  });

  it('are done where each was answered', async () => {
    expect(await looked(() => Promise.reject(new SourceFailure('missing', 'simulated')))).toEqual([
      Math.floor((SIZE - 64 * 1024) / 2),
    ]);
  });
});
