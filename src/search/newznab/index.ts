import { SlipstreamError } from '../../errors/index.ts';
import type { XmlElement } from '../../io/xml.ts';
import type { Logger } from '../../log/index.ts';
import type { SearchSource, Testable } from '../source.ts';
import { placed } from '../wire/address.ts';
import type { SourceOptions } from '../wire/options.ts';
import { indexerService, type Service } from '../wire/refusal.ts';
import type { Findable } from '../wire/sought.ts';
import { parseCaps, USUAL_CAPS } from './caps.ts';
import type { Dialect } from './dialect.ts';
import { indexerDialect } from './feed.ts';
import { newznabAsker, newznabService } from './source.ts';
import { testConnection } from './test-connection.ts';

/** Indexers change what they offer once in years. */
const CAPS_FRESH_FOR = 7 * 24 * 3_600_000;

/** A Newznab indexer. @throws INVALID_REQUEST when the address is no web address */
export function newznabSource(options: SourceOptions, log: Logger): SearchSource & Testable {
  const { id, name, timeout } = options;
  const service = indexerService(options);
  const usual = { service, usualCaps: USUAL_CAPS, capsFreshFor: CAPS_FRESH_FOR };
  const dialect: Dialect = { losesSeasonZero: true, items: indexerDialect(name) };
  const { client, caps } = newznabService(options, usual, log);
  const learn = (root: XmlElement) => caps.learn(parseCaps(root));
  const tested = { client, findable: FINDABLE, timeout, nothingListed: () => nothingListed(service), learn };
  return {
    ...{ id, name, ...placed(client.address.base) },
    ...newznabAsker({ id, name, client, timeout, caps: (signal) => caps.get(signal), dialect, log }),
    test: (signal) => testConnection(tested, signal),
  };
}

const FINDABLE: Findable = {
  settings: { url: 'indexer_url', key: 'indexer_api_key' },
  usualPorts: [],
  usualPaths: ['/newznab'],
  isTheirs: true,
  hasApiHost: true,
};

/** Some answer so where an account is not what it was. */
const nothingListed = ({ who, ownPlace }: Service) =>
  new SlipstreamError('NO_RESULTS', {
    what: `${who} takes the key, but lists nothing, not even its newest films.`,
    next: `Look at ${ownPlace} whether your account is active and includes the API.`,
  });
