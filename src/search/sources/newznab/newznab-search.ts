import { SlipstreamError } from '../../../errors/index.ts';
import type { Logger } from '../../../log/index.ts';
import { apiKeyOf, parseAddress } from '../common/address.ts';
import { type Caps, CapsSchema, capabilitiesOf } from '../common/caps.ts';
import type { SourceOptions } from '../common/options.ts';
import { type Persisted, persisted } from '../common/persisted.ts';
import type { ServiceLabels } from '../common/refusal.ts';
import type { SearchAnswer, SearchQuery, SearchSource } from '../source.ts';
import { parseCaps } from './caps.ts';
import { callCaps, type NewznabClient } from './client.ts';
import type { NewznabDialect } from './dialect.ts';
import { type ReleaseLister, releaseLister } from './list-releases.ts';
import { type NewznabParameters, parametersOf } from './query-parameters.ts';

/** How a service is asked. */
interface NewznabSearchOptions {
  /** Source of the links. */
  readonly id: string;
  readonly name: string;
  readonly client: NewznabClient;
  /** Milliseconds for one query. */
  readonly timeout: number;
  readonly caps: (signal: AbortSignal) => Promise<Caps>;
  readonly dialect: NewznabDialect;
  readonly log: Logger;
}

/** Asks by Newznab, as SearchSource does. */
export function newznabSearch(asked: NewznabSearchOptions): Pick<SearchSource, 'capabilities' | 'ask'> {
  const { name, client, caps, dialect, log } = asked;
  const list = releaseLister(client, asked);
  return {
    capabilities: async (signal) => ({
      ...capabilitiesOf(await caps(signal)),
      ...(dialect.idsTogether && { idsTogether: true }),
    }),
    ask: async (query, signal) => {
      const parameters = parametersOf(query, await caps(signal), dialect.categoriesOf);
      if (parameters === undefined) return 'unsupported';
      const started = performance.now();
      const answer = await listWithSpecials(list, { query, parameters, dialect }, signal);
      const took = Math.round(performance.now() - started);
      log.info(`${name}: ${parametersText(parameters)}: ${answerText(answer)} in ${took} ms`);
      return answer;
    },
  };
}

/** A service with one address and caps of its own. */
interface ServiceDefaults {
  readonly service: ServiceLabels;
  /** What to go by where its caps cannot be had. */
  readonly usualCaps: Caps;
  /** Milliseconds for which its caps are believed. */
  readonly capsFreshFor: number;
}

/** Client and remembered caps of such a service. @throws INVALID_REQUEST when the address is no web address */
export function newznabService(
  options: SourceOptions,
  facts: ServiceDefaults,
  log: Logger,
): { readonly client: NewznabClient; readonly caps: Persisted<Caps> } {
  const { service } = facts;
  const address = parseAddress(options.url, service.who);
  const client: NewznabClient = { service, address, apiKey: apiKeyOf(options.apiKey, address) };
  return { client, caps: persistedCaps(client, options, facts, log) };
}

function persistedCaps(
  client: NewznabClient,
  { timeout, cacheFolder }: SourceOptions,
  { service, usualCaps, capsFreshFor }: ServiceDefaults,
  log: Logger,
): Persisted<Caps> {
  const limit = Math.min(timeout / 3, MAX_CAPS_TIMEOUT);
  return persisted({
    folder: cacheFolder,
    topic: 'caps',
    address: client.address.base,
    who: service.who,
    schema: CapsSchema,
    maxAge: capsFreshFor,
    fallback: usualCaps,
    log,
    fetch: async (signal) => {
      const called = await callCaps(client, { signal, timeout: limit });
      if (called.kind !== 'answer') throw noCapsError(service);
      return parseCaps(called.document, usualCaps);
    },
  });
}

/** Milliseconds. Better to search by guess than to let somebody wait for a luxury. */
const MAX_CAPS_TIMEOUT = 5_000;

const noCapsError = ({ who }: ServiceLabels) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${who} does not say what it can be asked by.`,
    next: 'Try again later.',
  });

interface SpecialsQuery {
  readonly query: SearchQuery;
  readonly parameters: NewznabParameters;
  readonly dialect: NewznabDialect;
}

/**
 * Some (NNTmux) take season "0" for no season at all and list the whole show; they understand "00", which others do
 * not. So the plain one goes first.
 */
async function listWithSpecials(
  list: ReleaseLister,
  { query, parameters, dialect }: SpecialsQuery,
  signal: AbortSignal,
): Promise<SearchAnswer | 'unsupported'> {
  const plain = await list(query, parameters, signal);
  if (plain === 'unsupported' || parameters['season'] !== '0' || !dialect.ignoresSeasonZero) return plain;
  const hasSpecials = plain.postings.some(({ claims }) => (claims?.season ?? 0) === 0);
  if (hasSpecials || plain.failure !== undefined) return plain;
  const padded = await list(query, { ...parameters, season: '00' }, signal);
  return padded === 'unsupported' ? plain : padded;
}

/** For the log: what is asked, without address and key. */
function parametersText({ t = '', ...rest }: NewznabParameters): string {
  const { extended: _extended, limit: _limit, ...subject } = rest;
  const parts = Object.entries(subject).map(([name, value]) => `${name}=${value}`);
  return [t, ...parts].join(' ');
}

function answerText(answer: SearchAnswer | 'unsupported'): string {
  if (answer === 'unsupported') return 'not understood';
  const ignored = answer.ignoredId ? ', the id ignored' : '';
  const failed = answer.failure === undefined ? '' : `, then ${answer.failure.code}`;
  return `${answer.postings.length} posts${ignored}${failed}`;
}
