import { readRange } from '../backends/read-range.ts';
import { endingOf, mimeForPlayer } from '../media/player-opens.ts';
import type { LocalStream, OpenFile } from '../model/index.ts';

/** Bytes that tell a video from anything else. */
const HEAD = 4096;
/** Milliseconds for them. */
const READ_MS = 15_000;

/**
 * What the media centre opens by itself, with all that it needs to know of it.
 * @throws NO_VIDEO where its address might be taken for something else; what readRange throws
 */
export async function openedByPlayer(
  { url, size, subtitles }: OpenFile,
  signal: AbortSignal,
): Promise<LocalStream> {
  const reading = { url, headers: {}, who: 'The server of the stream', timeout: READ_MS, signal, size };
  const needsHead = endingOf(url).kind === 'none' && URL.canParse(url);
  const head = needsHead ? await readRange(reading, { from: 0, length: HEAD }) : undefined;
  return {
    url,
    mime: mimeForPlayer(url, head),
    ...(size !== undefined && { size }),
    ...(subtitles !== undefined && { subtitles: subtitles.map((file) => file.url) }),
  };
}
