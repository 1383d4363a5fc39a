import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../../../errors/index.ts';
import type { Logger } from '../../../log/index.ts';
import type { Posting } from '../../../model/index.ts';
import { hasIgnoredId } from '../common/ignored-id.ts';
import type { SourceOptions } from '../common/options.ts';
import type { SearchAnswer, SearchQuery } from '../source.ts';
import { callSearch, type NewznabClient } from './client.ts';
import type { NewznabDialect } from './dialect.ts';
import { postingsOf } from './feed-postings.ts';
import { type NewznabParameters, withoutRejectedParameter } from './query-parameters.ts';

/** Sends a query and gives all that it lists. */
export type ReleaseLister = (
  query: SearchQuery,
  parameters: NewznabParameters,
  signal: AbortSignal,
) => Promise<SearchAnswer | 'unsupported'>;

interface Page {
  readonly postings: readonly Posting[];
  /** Rows on it, whether they could be used or not. */
  readonly rows: number;
  /** Rows in all, as far as it says so. */
  readonly total: number;
  /** What it was got by. */
  readonly parameters: NewznabParameters;
}

interface ListOptions extends Pick<SourceOptions, 'id' | 'timeout'> {
  readonly dialect: Pick<NewznabDialect, 'items' | 'maxListSize' | 'onItems'>;
  readonly log: Logger;
}

export function releaseLister(client: NewznabClient, options: ListOptions): ReleaseLister {
  return async (query, parameters, signal) => {
    const first = await fetchPage(client, parameters, options, signal);
    if (first === 'unsupported') return 'unsupported';
    const ignoredId = hasIgnoredId(query, first.postings, first.total);
    const alone = { postings: first.postings, failures: [], ignoredId };
    const { maxListSize: wholeList } = options.dialect;
    if (ignoredId || wholeList === undefined || first.rows >= first.total) return alone;
    return { ...alone, fetchRest: (until) => fetchWholeList(client, first, wholeList, options, until) };
  };
}

/**
 * What the same list has beside its first page, in one answer: each query makes such a service ask all of its indexers
 * again, so pages would cost them more. What is left out of it is told.
 */
async function fetchWholeList(
  client: NewznabClient,
  first: Page,
  limit: number,
  options: ListOptions,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const { who } = client.service;
  const nothing = { postings: [], ignoredId: false };
  try {
    const all = await fetchPage(client, { ...first.parameters, limit: String(limit) }, options, signal);
    const [rows, total] = all === 'unsupported' ? [0, first.total] : [all.rows, all.total];
    const listed = Math.max(rows, first.rows);
    const failures = listed < total ? [truncatedError(who, listed, total)] : [];
    return { ...nothing, failures, postings: all === 'unsupported' ? [] : notOnFirstPage(first, all) };
  } catch (error) {
    signal.throwIfAborted();
    const failure = asSlipstreamError(error);
    options.log.info(`${who}: the whole list cannot be had: ${failure.message}`);
    if (FATAL_CODES.has(failure.code)) return { ...nothing, failures: [], failure };
    return { ...nothing, failures: [truncatedError(who, first.rows, first.total, failure)] };
  }
}

function notOnFirstPage(first: Page, all: Page): Posting[] {
  const post = ({ link }: Posting) => `${link.indexer}\n${link.guid}`;
  const known = new Set(first.postings.map(post));
  return all.postings.filter((posting) => !known.has(post(posting)));
}

/** Failures after which the source is asked nothing more: each further query would meet the same. */
const FATAL_CODES: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'AUTH_FAILED']);

/** @param failure why there is no more; absent: it gives no more */
function truncatedError(
  who: string,
  listed: number,
  total: number,
  failure?: SlipstreamError,
): SlipstreamError {
  return new SlipstreamError(
    failure?.code ?? 'TOO_LARGE',
    {
      what: `${who} listed only ${listed} of its ${total} posts.`,
      next: failure?.explanation.next ?? 'Nothing needs to be done: the newest ones were listed.',
    },
    { cause: failure },
  );
}

/** One answer; asked for once more without a parameter that the service does not like. */
async function fetchPage(
  client: NewznabClient,
  parameters: NewznabParameters,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Page | 'unsupported'> {
  const ask = (asked: NewznabParameters) => callSearch(client, asked, { signal, timeout: options.timeout });
  const called = await ask(parameters);
  if (called.kind !== 'unsupported') return pageOf(called, parameters, client, options);
  const rest = withoutRejectedParameter(parameters, called.refusal);
  if (rest === undefined) return 'unsupported';
  const again = await ask(rest);
  return again.kind === 'unsupported' ? 'unsupported' : pageOf(again, rest, client, options);
}

type ListedResult = Exclude<Awaited<ReturnType<typeof callSearch>>, { readonly kind: 'unsupported' }>;

async function pageOf(
  called: ListedResult,
  parameters: NewznabParameters,
  { address }: NewznabClient,
  { id: source, dialect: { items: dialect, onItems: onRows } }: ListOptions,
): Promise<Page> {
  if (called.kind === 'nothing') return { postings: [], rows: 0, total: 0, parameters };
  const { items, total = 0 } = called.document;
  await onRows?.(items);
  const postings = postingsOf(items, { source, url: called.url, address, dialect });
  return { postings, rows: items.length, total, parameters };
}
