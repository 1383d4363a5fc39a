import { asSlipstreamError, type ErrorCode, SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Posting } from '../../model/index.ts';
import type { Answer, SearchQuery } from '../source.ts';
import { hasIgnoredId } from '../wire/ignored-id.ts';
import type { SourceOptions } from '../wire/options.ts';
import { type Client, callSearch } from './client.ts';
import { type ItemDialect, postingsOf } from './feed.ts';
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
  readonly items: ItemDialect;
  /** At the most. */
  readonly pages: number;
  readonly log: Logger;
}

export function lister(client: Client, options: ListOptions): List {
  return async (query, parameters, signal) => {
    const first = await firstPage(client, parameters, options, signal);
    if (first === 'unsupported') return 'unsupported';
    const ignoredId = hasIgnoredId(query, first.postings, first.total);
    const next = (offset: number) =>
      nextPage(client, { ...first.parameters, offset: String(offset) }, options, signal);
    if (ignoredId) return { postings: first.postings, failures: [], ignoredId };
    const { postings, failure } = await furtherPages(first, next, options.pages);
    return {
      postings: [...first.postings, ...postings],
      ...{ failures: [], ignoredId },
      ...(failure !== undefined && { failure }),
    };
  };
}

/** Milliseconds: it has them at hand, and what is already here should not wait. */
const LONGEST_PAGE_WAIT = 2_000;

/** Once more without a parameter that it does not like. */
async function firstPage(
  client: Client,
  parameters: Parameters,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Page | 'unsupported'> {
  const called = await callSearch(client, parameters, { signal, timeout: options.timeout });
  if (called.kind !== 'unsupported') return pageOf(called, parameters, client, options);
  const rest = withoutRefused(parameters, called.refusal);
  return rest === undefined ? 'unsupported' : await onePage(client, rest, options, signal);
}

async function onePage(
  client: Client,
  parameters: Parameters,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Page | 'unsupported'> {
  const called = await callSearch(client, parameters, { signal, timeout: options.timeout });
  return called.kind === 'unsupported' ? 'unsupported' : pageOf(called, parameters, client, options);
}

/** Failures after which the source is asked nothing more: each further query would meet the same. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'AUTH_FAILED']);

/**
 * undefined when it cannot be had: the first one is worth having without. A failure when that holds for all further
 * queries too.
 */
async function nextPage(
  client: Client,
  parameters: Parameters,
  options: ListOptions,
  signal: AbortSignal,
): Promise<Page | SlipstreamError | undefined> {
  const hurried = { ...options, timeout: Math.min(options.timeout, LONGEST_PAGE_WAIT) };
  try {
    const page = await onePage(client, parameters, hurried, signal);
    return page === 'unsupported' ? undefined : page;
  } catch (error) {
    signal.throwIfAborted();
    const failure = asSlipstreamError(error);
    options.log.info(`${client.service.who}: no further page: ${failure.message}`);
    return FINAL.has(failure.code) ? failure : undefined;
  }
}

type Listed = Exclude<Awaited<ReturnType<typeof callSearch>>, { readonly kind: 'unsupported' }>;

function pageOf(
  called: Listed,
  parameters: Parameters,
  { address }: Client,
  { id: source, items: dialect }: ListOptions,
): Page {
  if (called.kind === 'nothing') return { postings: [], rows: 0, total: 0, parameters };
  const { items, total = 0 } = called.document;
  const postings = postingsOf(items, { source, url: called.url, address, dialect });
  return { postings, rows: items.length, total, parameters };
}

/** Ends with the last page, with the first that brings nothing new (some ignore the offset), or with one that fails. */
async function furtherPages(
  first: Page,
  next: (offset: number) => Promise<Page | SlipstreamError | undefined>,
  most: number,
): Promise<Pick<Answer, 'postings' | 'failure'>> {
  const post = ({ link }: Posting) => `${link.indexer}\n${link.guid}`;
  const seen = new Set(first.postings.map(post));
  const found: Posting[] = [];
  let offset = first.rows;
  for (let number = 2; number <= most && offset < first.total; number++) {
    const page = await next(offset);
    if (page instanceof SlipstreamError) return { postings: found, failure: page };
    const fresh = page?.postings.filter((posting) => !seen.has(post(posting))) ?? [];
    if (page === undefined || fresh.length === 0) break;
    for (const posting of fresh) seen.add(post(posting));
    found.push(...fresh);
    offset += page.rows;
  }
  return { postings: found };
}
