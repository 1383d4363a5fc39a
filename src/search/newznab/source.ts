import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Answer, SearchQuery, SearchSource } from '../source.ts';
import { keyOf, parseAddress } from '../wire/address.ts';
import { abilitiesOf, type Caps, CapsSchema } from '../wire/caps.ts';
import type { SourceOptions } from '../wire/options.ts';
import type { Service } from '../wire/refusal.ts';
import { type Remembered, remembered } from '../wire/remembered.ts';
import { parseCaps } from './caps.ts';
import { type Client, callCaps } from './client.ts';
import type { Dialect } from './dialect.ts';
import { type List, lister } from './list.ts';
import { type Parameters, parametersOf } from './query.ts';

/** How a service is asked. */
interface Asked {
  /** Source of the links. */
  readonly id: string;
  readonly name: string;
  readonly client: Client;
  /** Milliseconds for one query. */
  readonly timeout: number;
  readonly caps: (signal: AbortSignal) => Promise<Caps>;
  readonly dialect: Dialect;
  readonly log: Logger;
}

/** Asks by Newznab, as SearchSource does. */
export function newznabAsker(asked: Asked): Pick<SearchSource, 'abilities' | 'ask'> {
  const { name, client, caps, dialect, log } = asked;
  const list = lister(client, asked);
  return {
    abilities: async (signal) => ({
      ...abilitiesOf(await caps(signal)),
      ...(dialect.idsTogether && { idsTogether: true }),
    }),
    ask: async (query, signal) => {
      const parameters = parametersOf(query, await caps(signal), dialect.categoriesOf);
      if (parameters === undefined) return 'unsupported';
      const started = performance.now();
      const answer = await listWithSpecials(list, { query, parameters, dialect }, signal);
      const took = Math.round(performance.now() - started);
      log.info(`${name}: ${describe(parameters)}: ${inWords(answer)} in ${took} ms`);
      return answer;
    },
  };
}

/** A service with one address and caps of its own. */
interface ServiceFacts {
  readonly service: Service;
  /** What to go by where its caps cannot be had. */
  readonly usualCaps: Caps;
  /** Milliseconds for which its caps are believed. */
  readonly capsFreshFor: number;
}

/** Client and remembered caps of such a service. @throws INVALID_REQUEST when the address is no web address */
export function newznabService(
  options: SourceOptions,
  facts: ServiceFacts,
  log: Logger,
): { readonly client: Client; readonly caps: Remembered<Caps> } {
  const { service } = facts;
  const address = parseAddress(options.url, service.who);
  const client: Client = { service, address, apiKey: keyOf(options.apiKey, address) };
  return { client, caps: rememberedCaps(client, options, facts, log) };
}

function rememberedCaps(
  client: Client,
  { timeout, cacheFolder }: SourceOptions,
  { service, usualCaps, capsFreshFor }: ServiceFacts,
  log: Logger,
): Remembered<Caps> {
  const limit = Math.min(timeout / 3, LONGEST_CAPS_WAIT);
  return remembered({
    folder: cacheFolder,
    topic: 'caps',
    address: client.address.base,
    who: service.who,
    schema: CapsSchema,
    freshFor: capsFreshFor,
    fallback: usualCaps,
    log,
    fetch: async (signal) => {
      const called = await callCaps(client, { signal, timeout: limit });
      if (called.kind !== 'answer') throw noCaps(service);
      return parseCaps(called.document, usualCaps);
    },
  });
}

/** Milliseconds. Better to search by guess than to let somebody wait for a luxury. */
const LONGEST_CAPS_WAIT = 5_000;

const noCaps = ({ who }: Service) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${who} does not say what it can be asked by.`,
    next: 'Try again later.',
  });

interface Specials {
  readonly query: SearchQuery;
  readonly parameters: Parameters;
  readonly dialect: Dialect;
}

/**
 * Some (NNTmux) take season "0" for no season at all and list the whole show; they understand "00", which others do
 * not. So the plain one goes first.
 */
async function listWithSpecials(
  list: List,
  { query, parameters, dialect }: Specials,
  signal: AbortSignal,
): Promise<Answer | 'unsupported'> {
  const plain = await list(query, parameters, signal);
  if (plain === 'unsupported' || parameters['season'] !== '0' || !dialect.losesSeasonZero) return plain;
  const hasSpecials = plain.postings.some(({ claims }) => (claims?.season ?? 0) === 0);
  if (hasSpecials || plain.failure !== undefined) return plain;
  const padded = await list(query, { ...parameters, season: '00' }, signal);
  return padded === 'unsupported' ? plain : padded;
}

/** For the log: what is asked, without address and key. */
function describe({ t = '', ...rest }: Parameters): string {
  const { extended: _extended, limit: _limit, ...subject } = rest;
  const parts = Object.entries(subject).map(([name, value]) => `${name}=${value}`);
  return [t, ...parts].join(' ');
}

function inWords(answer: Answer | 'unsupported'): string {
  if (answer === 'unsupported') return 'not understood';
  const ignored = answer.ignoredId ? ', the id ignored' : '';
  const failed = answer.failure === undefined ? '' : `, then ${answer.failure.code}`;
  return `${answer.postings.length} posts${ignored}${failed}`;
}
