import { CancelledError } from '../../errors/index.ts';
import { explainFailure, SourceFailure } from '../policy/failure.ts';
import type { SubtitleRecord } from '../session/subtitles.ts';
import { MAX_READ_BYTES, readBytes } from '../source/read-bytes.ts';
import type { ProxyContext, StreamExchange } from '../stages.ts';
import { chooseRange } from './choose-range.ts';
import { NO_SUCH_PATH } from './error-bodies.ts';
import { entityTag } from './preconditions.ts';
import { sendError, sendSlipstreamError } from './responses.ts';

/** No player looks at it: it goes by the extension. */
const MIME = 'application/octet-stream';

/** GET and HEAD /stream/<session>/sub/<group>/<file name>: fetched as a whole when it is asked for. */
export async function serveSubtitle(
  context: ProxyContext,
  exchange: StreamExchange,
  wanted: { readonly group: number; readonly name: string },
): Promise<void> {
  const { response, session } = exchange;
  const files = session.record.subtitles ?? [];
  const index = files.findIndex(({ group, name }) => group === wanted.group && name === wanted.name);
  const file = files[index];
  if (file === undefined) {
    sendError(response, 404, NO_SUCH_PATH);
    return;
  }
  const gone = new AbortController();
  const ended = session.beginRequest(gone, undefined);
  response.once('close', () => {
    gone.abort(new CancelledError('person'));
  });
  try {
    const bytes = await fetchSubtitle(context, exchange, file, gone.signal);
    const served = {
      size: bytes.byteLength,
      mime: MIME,
      etag: entityTag(`${session.record.id} sub ${index}`),
    };
    const part = chooseRange(exchange, served, context.stages.parseRange);
    if (part === undefined) return;
    part.writeHead();
    response.end(bytes.subarray(part.range.first, part.range.last + 1));
  } catch (error) {
    if (gone.signal.aborted) response.destroy();
    else if (error instanceof SourceFailure) {
      const failure = explainFailure(error, new URL(file.source.url).host);
      context.log.warning(`a subtitle file cannot be served: ${failure.message}`);
      sendSlipstreamError(response, failure);
    } else throw error;
  } finally {
    ended();
  }
}

/** @throws SourceFailure also when it is too large for a subtitle file. */
async function fetchSubtitle(
  { stages, connections, policies }: ProxyContext,
  { session }: StreamExchange,
  file: SubtitleRecord,
  signal: AbortSignal,
): Promise<Buffer> {
  const kept = session.fetchedSubtitles.get(file);
  if (kept !== undefined) return kept;
  const { firstByteTimeout: timeout, stallTimeout: stall } = policies.prepare;
  const opened = await stages.openSource(file.source, connections).open({ first: 0, timeout, signal });
  if (opened.size > MAX_READ_BYTES) {
    opened.body.close();
    throw new SourceFailure('wrong-answer', `a subtitle file of ${opened.size} bytes`);
  }
  const bytes = await readBytes(opened, opened.size, { stallTimeout: stall, signal });
  if (bytes.byteLength < opened.size) throw new SourceFailure('wrong-answer', 'a part of it came');
  session.fetchedSubtitles.put(file, bytes);
  return bytes;
}
