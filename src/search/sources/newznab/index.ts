import { SlipstreamError } from '../../../errors/index.ts';
import type { XmlElement } from '../../../io/xml.ts';
import type { Logger } from '../../../log/index.ts';
import { placed } from '../common/address.ts';
import type { SourceOptions } from '../common/options.ts';
import type { ProbeDefaults } from '../common/probe-target.ts';
import { indexerLabels, type ServiceLabels } from '../common/refusal.ts';
import type { SearchSource, TestableSource } from '../source.ts';
import { DEFAULT_CAPS, parseCaps } from './caps.ts';
import type { NewznabDialect } from './dialect.ts';
import { indexerDialect } from './feed-postings.ts';
import { newznabSearch, newznabService } from './newznab-search.ts';
import { testConnection } from './test-connection.ts';

/** Indexers change what they offer once in years. */
const CAPS_MAX_AGE = 7 * 24 * 3_600_000;

/** A Newznab indexer. @throws INVALID_REQUEST when the address is no web address */
export function newznabSource(options: SourceOptions, log: Logger): SearchSource & TestableSource {
  const { id, name, timeout } = options;
  const service = indexerLabels(options);
  const usual = { service, usualCaps: DEFAULT_CAPS, capsFreshFor: CAPS_MAX_AGE };
  const dialect: NewznabDialect = { ignoresSeasonZero: true, items: indexerDialect(name) };
  const { client, caps } = newznabService(options, usual, log);
  const learn = (root: XmlElement) => caps.set(parseCaps(root));
  const tested = {
    client,
    findable: PROBE_DEFAULTS,
    timeout,
    nothingListed: () => nothingListedError(service),
    learn,
  };
  return {
    id,
    name,
    ...placed(client.address.base),
    ...newznabSearch({ id, name, client, timeout, caps: (signal) => caps.get(signal), dialect, log }),
    test: (signal) => testConnection(tested, signal),
  };
}

const PROBE_DEFAULTS: ProbeDefaults = {
  settings: { url: 'indexer_url', key: 'indexer_api_key' },
  usualPorts: [],
  usualPaths: ['/newznab'],
  isThirdParty: true,
  hasApiHost: true,
};

/** Some answer so where an account is not what it was. */
const nothingListedError = ({ who, ownPlace }: ServiceLabels) =>
  new SlipstreamError('NO_RESULTS', {
    what: `${who} takes the key, but lists nothing, not even its newest films.`,
    next: `Look at ${ownPlace} whether your account is active and includes the API.`,
  });
