import { readFileRange } from '../backends/read-file-range.ts';
import { mimeForPlayer, urlExtensionOf } from '../media/player-mime.ts';
import type { LocalStream, OpenFile } from '../model/index.ts';

/** Bytes that tell a video from anything else. */
const HEAD_BYTES = 4096;
/** Milliseconds for them. */
const READ_TIMEOUT_MS = 15_000;

/**
 * What the media centre opens by itself, with all that it needs to know of it.
 * @throws NO_VIDEO where its address might be taken for something else; what readRange throws
 */
export async function openInPlayer(
  { url, size, subtitles }: OpenFile,
  signal: AbortSignal,
): Promise<LocalStream> {
  const reading = {
    url,
    headers: {},
    who: 'The server of the stream',
    timeout: READ_TIMEOUT_MS,
    signal,
    size,
  };
  const needsHead = urlExtensionOf(url).kind === 'none' && URL.canParse(url);
  const head = needsHead ? await readFileRange(reading, { from: 0, length: HEAD_BYTES }) : undefined;
  return {
    url,
    mime: mimeForPlayer(url, head),
    ...(size !== undefined && { size }),
    ...(subtitles !== undefined && { subtitles: subtitles.map((file) => file.url) }),
  };
}
