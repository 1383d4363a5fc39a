import type { Check } from '../../../diagnosis/check.ts';
import { SlipstreamError } from '../../../errors/index.ts';
import { CrossOriginRedirect } from '../../../io/cross-origin-redirect.ts';
import type { XmlElement } from '../../../io/xml.ts';
import type { Logger } from '../../../log/index.ts';
import { memberChecks } from '../common/member-checks.ts';
import type { ManagerOptions } from '../common/options.ts';
import type { ProbeDefaults } from '../common/probe-target.ts';
import { managerLabels, type ServiceLabels } from '../common/refusal.ts';
import { parseCaps } from '../newznab/caps.ts';
import { newznabSearch, newznabService } from '../newznab/newznab-search.ts';
import { testConnection } from '../newznab/test-connection.ts';
import type { AggregateSource, MemberSource, SourceManager, TestableSource } from '../source.ts';
import { HYDRA_DEFAULT_CAPS, hydraDialect, withSeriesTmdb } from './dialect.ts';
import { persistedHosts } from './indexer-hosts.ts';
import { fetchHydraIndexers, MAX_INDEXERS } from './indexers.ts';
import { type HydraContext, hydraMember, isAddressable } from './member.ts';

/** Its caps follow its own settings, which the person may be changing just now. */
const CAPS_MAX_AGE = 24 * 3_600_000;

/**
 * NZBHydra2 by its Newznab interface (protocols.md §6). It would wait for the slowest of its indexers and tell nothing of
 * those that fail, so each of them is asked by itself; as one, where it does not give their list.
 *
 * @throws INVALID_REQUEST when the address is no web address
 */
export function hydraSource(options: ManagerOptions, log: Logger): SourceManager & TestableSource {
  const { id, name, timeout, cacheFolder } = options;
  const service = managerLabels('NZBHydra2', options, 'in NZBHydra2 under Config, Main, Security');
  const usual = { service, usualCaps: HYDRA_DEFAULT_CAPS, capsFreshFor: CAPS_MAX_AGE };
  const { client, caps } = newznabService(options, usual, log);
  const { base } = client.address;
  const hosts = persistedHosts(cacheFolder, base, log);
  const hydra: HydraContext = {
    options,
    client,
    log,
    caps: async (signal) => withSeriesTmdb(await caps.get(signal)),
    dialect: hydraDialect(name, service, base, hosts),
    fetchIndexers: (signal) => fetchHydraIndexers(client, signal),
  };
  const members = async (signal: AbortSignal): Promise<readonly MemberSource[] | undefined> => {
    const [listed, known] = await Promise.all([hydra.fetchIndexers(signal), hosts.all()]);
    const indexers = listed?.filter(({ state }) => state !== 'off').slice(0, MAX_INDEXERS);
    if (indexers?.every(isAddressable) !== true) return undefined;
    if (indexers.length === 0) throw noIndexersError(service);
    return indexers.map((each, at) => hydraMember(hydra, each, at + 1, known.get(each.name)));
  };
  const tested = {
    client,
    timeout,
    findable: PROBE_DEFAULTS,
    nothingListed: () => nothingListedError(service),
    learn: (root: XmlElement) => caps.set(parseCaps(root, HYDRA_DEFAULT_CAPS)),
    members: async (signal: AbortSignal) => {
      try {
        const all = await members(signal);
        return all && (await memberChecks(all, log, signal));
      } catch (error) {
        if (error instanceof CrossOriginRedirect) return [aggregateNote(service, error)];
        throw error;
      }
    },
  };
  return {
    id,
    name,
    members: async (signal) => {
      try {
        return (await members(signal)) ?? aggregateSource(hydra);
      } catch (error) {
        // What is only read is sent on; the list is asked for by a request that is not sent twice.
        if (!(error instanceof CrossOriginRedirect)) throw error;
        log.warning(`${service.who} is asked as one: ${error.message}`);
        return aggregateSource(hydra);
      }
    },
    test: (signal) => testConnection(tested, signal),
  };
}

const PROBE_DEFAULTS: ProbeDefaults = {
  settings: { url: 'hydra_url', key: 'hydra_api_key' },
  usualPorts: ['5076'],
  usualPaths: ['/nzbhydra2', '/nzbhydra', '/hydra'],
  isThirdParty: false,
};

/** It works, more slowly, and with nothing said of those that fail. */
const aggregateNote = ({ name }: ServiceLabels, failure: CrossOriginRedirect): Check => ({
  what: `The indexers of ${name} one by one`,
  isNote: true,
  setting: PROBE_DEFAULTS.settings.url,
  failure,
});

/** All that it tells of indexers whose accounts have ended, or that are switched off. */
const nothingListedError = ({ who }: ServiceLabels) =>
  new SlipstreamError('NO_RESULTS', {
    what: `${who} takes the key, but none of its indexers lists anything, not even the newest films.`,
    next: 'Look in NZBHydra2 under Config, Indexers whether they are on, and under Stats & Indexers what they fail of: an account may have expired.',
  });

/** All of its indexers with one query. */
function aggregateSource({
  options: { id, name, timeout },
  client,
  caps,
  dialect,
  log,
}: HydraContext): AggregateSource {
  return {
    id,
    name,
    isAggregate: true,
    timeout: timeout,
    ...newznabSearch({ id, name, client, timeout, caps, dialect, log }),
  };
}

const noIndexersError = ({ who }: ServiceLabels) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${who} has no indexer that is switched on.`,
    next: 'Add one in NZBHydra2 (Config, Indexers), or search with something else.',
  });
