import { SlipstreamError } from '../../errors/index.ts';
import { fetchBounded } from '../../io/http.ts';
import { type OrderedAttempt, tryInOrder } from '../../io/try-in-order.ts';
import { pause, YIELD_INTERVAL_MS, yieldEvery } from '../../io/wait.ts';
import type { Logger } from '../../log/index.ts';
import { indexerLabel, type Link, type MediaRequest, type Release } from '../../model/index.ts';
import type { Nzb } from '../backend.ts';
import { contentReader } from './content.ts';
import { gunzipIfNeeded, MAX_NZB_BYTES, type NzbDocument, readNzbDocument } from './document.ts';
import { incompleteError, invalidNzbError } from './failures.ts';
import { followLink } from './follow.ts';
import { ManagerUnavailable } from './manager-unavailable.ts';
import { OutOfReach } from './out-of-reach.ts';
import type { SourceLimits } from './source-limits.ts';
import { streamableNzb } from './streamable.ts';

interface Options {
  /** What the NZB is for, where the backend streams it: it is then checked and put in order. Absent: it stays as it came. */
  readonly toStream?: MediaRequest | undefined;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Milliseconds; an aggregator may first have to ask the indexer. */
  readonly timeout?: number;
  /** Sources that deliver no more in this play: they are not asked. Who says so meanwhile is added. */
  readonly limits?: SourceLimits | undefined;
  /**
   * Waits until a manager of indexers is back, whose links are then tried once more. Rejects when it stays away, which
   * ends the fetching. Absent: nobody waits.
   */
  readonly waitForManager?: ((away: ManagerUnavailable) => Promise<void>) | undefined;
  /** As `patience` of inTurn, with a link that does not begin to answer. */
  readonly patience?: (signal: AbortSignal) => Promise<void>;
}

const DEFAULT_TIMEOUT = 60_000;
/** Milliseconds. Some indexers take 25 s, but a dead one would take a minute, or 20 s behind NZBHydra2. */
const NEXT_LINK_MS = 15_000;

/**
 * Fetches the NZB of a release and checks that it is one.
 *
 * Indexers answer with error documents, login pages and empty bodies, mostly with status 200 (protocols.md §5.4). The
 * post's other links are tried when the preferred one fails, and beside it when it does not answer; when all fail, the
 * failure of the preferred one is thrown. Links and redirect targets hold keys, so no message contains them.
 *
 * @throws NZB_INCOMPLETE when it lacks what `toStream` needs; NZB_INVALID when this release cannot be had, broken when none
 *   of its links has it any more; RATE_LIMITED, AUTH_FAILED, SERVICE_ERROR when the indexer does not
 *   deliver now; UNREACHABLE, TIMEOUT, TOO_LARGE; OutOfReach when a manager sends us on to where only others get; ManagerUnavailable
 *   when the links that are left lead through one that is away
 */
export async function fetchNzb(release: Release, options: Options): Promise<Nzb> {
  const links = release.links.filter(({ plays }) => plays !== true);
  if (links.length === 0) throw invalidNzbError('There is no NZB of this release.', 'links that play only');
  const failed = new Map<Link, unknown>();
  const nzb = await fetchAny(links, release, options, failed);
  if (nzb !== undefined) return nzb;
  const away = [...failed.values()].find(isManagerUnavailable);
  if (away !== undefined && options.waitForManager !== undefined) {
    await options.waitForManager(away);
    const behind = links.filter((link) => isManagerUnavailable(failed.get(link)));
    const late = await fetchAny(behind, release, options, failed);
    if (late !== undefined) return late;
  }
  const failures = links.map((link) => failed.get(link));
  throw failures.find(isManagerUnavailable) ?? preferredFailure(failures);
}

/**
 * Asks the links in turn; who has said that it gives no more is not asked.
 *
 * @param failed takes why each of them has failed, when all have
 */
async function fetchAny(
  links: readonly Link[],
  release: Release,
  options: Options,
  failed: Map<Link, unknown>,
): Promise<Nzb | undefined> {
  const { signal, limits, patience = nextLinkDelay } = options;
  const ways = links.map(
    (link): OrderedAttempt<Nzb> =>
      async (until, heard) => {
        const limit = limits?.limitOf(link);
        if (limit !== undefined) throw limit;
        try {
          return await fetchFrom(link, release, { ...options, signal: until }, heard);
        } catch (error) {
          limits?.record(link, error);
          throw error;
        }
      },
  );
  const outcome = await tryInOrder(ways, { patience, signal });
  if ('result' in outcome) return outcome.result;
  links.forEach((link, place) => failed.set(link, outcome.failures[place]));
  return undefined;
}

const nextLinkDelay = (until: AbortSignal) => pause(NEXT_LINK_MS, until);

const isManagerUnavailable = (error: unknown): error is ManagerUnavailable =>
  error instanceof ManagerUnavailable;

/** The preferred link's failure. What one indexer no longer has, another one may deliver later. */
function preferredFailure(failures: readonly unknown[]): unknown {
  const [first] = failures;
  if (!(first instanceof SlipstreamError)) return first;
  const known = failures.filter((each) => each instanceof SlipstreamError);
  const broken = known.length === failures.length && known.every((each) => each.broken);
  const stale = known.some((each) => each.stale);
  if (first.broken === broken && first.stale === stale) return first;
  if (first instanceof OutOfReach) return first.asStale();
  const { code, explanation, transient, message: detail } = first;
  return new SlipstreamError(code, explanation, { cause: first, detail, transient, broken, stale });
}

async function fetchFrom(link: Link, release: Release, options: Options, heard: () => void): Promise<Nzb> {
  const { toStream, signal, log, timeout = DEFAULT_TIMEOUT } = options;
  const giveWay = yieldEvery(YIELD_INTERVAL_MS, signal);
  const followed = followLink(link);
  const answer = await fetchBounded({
    url: link.url,
    signal,
    timeout,
    maxBytes: MAX_NZB_BYTES,
    ...followed.request,
    onHead: heard,
  }).catch((error: unknown) => {
    throw followed.unanswered(error);
  });
  const bytes = await gunzipIfNeeded(answer.body).catch(() => undefined);
  signal.throwIfAborted();
  const reader = toStream === undefined ? undefined : contentReader();
  const document: NzbDocument =
    bytes === undefined
      ? { kind: 'broken', detail: 'a damaged gzip file' }
      : await readNzbDocument(bytes, giveWay, reader?.handlers);
  if (bytes === undefined || document.kind !== 'nzb' || answer.status >= 300)
    throw followed.refused(answer, document);
  const { files, segments } = document;
  log.info(`NZB from ${link.indexer}: ${files} files, ${segments} segments, ${bytes.byteLength} bytes`);
  if (toStream === undefined || reader === undefined)
    return { bytes, release, fileCount: files, segmentCount: segments };
  const nzb = await streamableNzb(reader.content, { request: toStream, release }, giveWay);
  if ('lacking' in nzb) throw incompleteError(indexerLabel(link.indexer), nzb);
  return nzb;
}
