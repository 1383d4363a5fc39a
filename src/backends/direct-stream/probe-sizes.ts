import { fetchBounded } from '../../io/http.ts';
import { registerSecret } from '../../log/index.ts';
import type { Stream } from './streams.ts';

interface ProbeOptions {
  /** As HttpRequest.who. */
  readonly who: string;
  /** Milliseconds for each. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** More than a film and what lies beside it are a pack, of which names have to tell. */
const MAX_PROBED = 20;
const MAX_BYTES = 64 * 1024;

/**
 * Bytes of each of several streams, which are told by no list: a GET of the first byte tells them (protocols.md §8.3).
 * Undefined: not asked, or not told. @throws the signal's reason
 */
export async function probeSizes(
  streams: readonly Stream[],
  asking: ProbeOptions,
): Promise<(number | undefined)[]> {
  if (streams.length < 2) return [];
  return await Promise.all(streams.slice(0, MAX_PROBED).map(({ url }) => probeSize(url, asking)));
}

async function probeSize(url: string, { signal, ...asking }: ProbeOptions): Promise<number | undefined> {
  registerSecret(url);
  const headers = { range: 'bytes=0-0' };
  const answer = await fetchBounded({ url, headers, maxBytes: MAX_BYTES, signal, ...asking }).catch(() => {
    signal.throwIfAborted();
    return undefined;
  });
  if (answer?.status !== 206) return undefined;
  const size = /^bytes 0-0\/(\d{1,15})$/.exec(answer.headers['content-range'] ?? '')?.[1];
  return size === undefined ? undefined : Number(size);
}
