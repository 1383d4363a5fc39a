import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Posting } from '../../model/index.ts';
import type { Answer, SearchQuery } from '../source.ts';
import { hasIgnoredId } from '../wire/ignored-id.ts';
import type { SourceOptions } from '../wire/options.ts';
import { type Client, callSearch } from './client.ts';
import type { Dialect } from './dialect.ts';
import { postingsOf } from './feed.ts';
import { type Parameters, withoutRefused } from './query.ts';

/** Sends a query and gives all that it lists. */
export type List = (
  query: SearchQuery,
  parameters: Parameters,
  signal: AbortSignal,
) => Promise<Answer | 'unsupported'>;

interface Page {
  readonly postings: readonly Posting[];
  /** Rows on it, whether they could be used or not. */
  readonly rows: number;
  /** Rows in all, as far as it says so. */
  readonly total: number;
  /** What it was got by. */
  readonly parameters: Parameters;
}

interface ListOptions extends Pick<SourceOptions, 'id' | 'timeout'> {
  readonly dialect: Pick<Dialect, 'items' | 'wholeList' | 'onRows'>;
  readonly log: Logger;
}

export function lister(client: Client, options: ListOptions): List {
  return async (query, parameters, signal) => {
    const first = await page(client, parameters, options, signal);
    if (first === 'unsupported') return 'unsupported';
    const ignoredId = hasIgnoredId(query, first.postings, first.total);
    const alone = { postings: first.postings, failures: [], ignoredId };
    const { wholeList } = options.dialect;
    if (ignoredId || wholeList === undefined || first.rows >= first.total) return alone;
    return { ...alone, more: (until) => whole(client, first, wholeList, options, until) };
  };
}

/**
 * What the same list has beside its first page, in one answer: each query makes such a service ask all of its indexers
 * again, so pages would cost them more. What is left out of it is told.
 */
async function whole(
  client: Client,
  first: Page,
  limit: number,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const { who } = client.service;
  const nothing = { postings: [], ignoredId: false };
  try {
    const all = await page(client, { ...first.parameters, limit: String(limit) }, options, signal);
    const [rows, total] = all === 'unsupported' ? [0, first.total] : [all.rows, all.total];
    const listed = Math.max(rows, first.rows);
    const failures = listed < total ? [cutShort(who, listed, total)] : [];
    return { ...nothing, failures, postings: all === 'unsupported' ? [] : beside(first, all) };
  } catch (error) {
    signal.throwIfAborted();
    const failure = asSlipstreamError(error);
    options.log.info(`${who}: the whole list cannot be had: ${failure.message}`);
    if (FINAL.has(failure.code)) return { ...nothing, failures: [], failure };
    return { ...nothing, failures: [cutShort(who, first.rows, first.total, failure)] };
  }
}

function beside(first: Page, all: Page): Posting[] {
  const post = ({ link }: Posting) => `${link.indexer}\n${link.guid}`;
  const known = new Set(first.postings.map(post));
  return all.postings.filter((posting) => !known.has(post(posting)));
}

/** Failures after which the source is asked nothing more: each further query would meet the same. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'AUTH_FAILED']);

/** @param failure why there is no more; absent: it gives no more */
function cutShort(who: string, listed: number, total: number, failure?: SlipstreamError): SlipstreamError {
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
async function page(
  client: Client,
  parameters: Parameters,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Page | 'unsupported'> {
  const ask = (asked: Parameters) => callSearch(client, asked, { signal, timeout: options.timeout });
  const called = await ask(parameters);
  if (called.kind !== 'unsupported') return pageOf(called, parameters, client, options);
  const rest = withoutRefused(parameters, called.refusal);
  if (rest === undefined) return 'unsupported';
  const again = await ask(rest);
  return again.kind === 'unsupported' ? 'unsupported' : pageOf(again, rest, client, options);
}

type Listed = Exclude<Awaited<ReturnType<typeof callSearch>>, { readonly kind: 'unsupported' }>;

async function pageOf(
  called: Listed,
  parameters: Parameters,
  { address }: Client,
  { id: source, dialect: { items: dialect, onRows } }: ListOptions,
): Promise<Page> {
  if (called.kind === 'nothing') return { postings: [], rows: 0, total: 0, parameters };
  const { items, total = 0 } = called.document;
  await onRows?.(items);
  const postings = postingsOf(items, { source, url: called.url, address, dialect });
  return { postings, rows: items.length, total, parameters };
}
