import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PlayerRequests } from '../../../src/stream-proxy/session/player-requests.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function begun(first: number | undefined, requests = new PlayerRequests()) {
  const request = new AbortController();
  requests.begin(request, first);
  return { requests, request };
}

describe('a request of the player', () => {
  it('waits in vain once nothing has come for half a second', () => {
    const { requests, request } = begun(0);
    vi.advanceTimersByTime(499);
    expect(requests.stalled).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(requests.stalled).toEqual([request]);
    requests.bytesReady(request);
    requests.sent(request, 10);
    expect(requests.stalled).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(requests.stalled).toEqual([request]);
    requests.end(request);
    expect(requests.stalled).toEqual([]);
  });

  it('does not wait for what the player is yet to take', () => {
    const { requests, request } = begun(0);
    requests.bytesReady(request);
    vi.advanceTimersByTime(60_000);
    expect(requests.stalled).toEqual([]);
  });
});

describe('what the player has let go of', () => {
  /** A request that began at byte 100, got 50 bytes, and then waited for the next one. */
  function letGo() {
    const { requests, request } = begun(100);
    requests.bytesReady(request);
    requests.sent(request, 50);
    vi.advanceTimersByTime(500);
    requests.abortStalled();
    return { requests, request };
  }

  it('is wanted again once the player begins to play anew', () => {
    const { requests, request } = letGo();
    requests.end(request);
    requests.forgetAborted();
    expect(begun(150, requests).request.signal.aborted).toBe(false);
  });

  it('is no byte of the film where it was a subtitle', () => {
    const { requests, request } = begun(undefined);
    vi.advanceTimersByTime(500);
    requests.abortStalled();
    expect(request.signal.aborted).toBe(true);
    requests.end(request);
    expect(begun(0, requests).request.signal.aborted).toBe(false);
  });

  it('is broken off, and what it asks for again at that byte within three seconds', () => {
    const { requests, request } = letGo();
    expect(request.signal.aborted).toBe(true);
    requests.end(request);
    vi.advanceTimersByTime(2_999);
    expect(begun(150, requests).request.signal.aborted).toBe(true);
    vi.advanceTimersByTime(1);
    expect(begun(150, requests).request.signal.aborted).toBe(false);
  });

  it('is nothing that was only just asked for, nor what begins elsewhere: a new play', () => {
    const { requests } = letGo();
    const { request } = begun(0, requests);
    expect(request.signal.aborted).toBe(false);
    vi.advanceTimersByTime(499);
    requests.abortStalled();
    expect(request.signal.aborted).toBe(false);
  });
});
