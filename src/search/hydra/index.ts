import { SlipstreamError } from '../../errors/index.ts';
import { Moved } from '../../io/moved.ts';
import type { XmlElement } from '../../io/xml.ts';
import type { Logger } from '../../log/index.ts';
import type { Check } from '../../settings/index.ts';
import { parseCaps } from '../newznab/caps.ts';
import { newznabAsker, newznabService } from '../newznab/source.ts';
import { testConnection } from '../newznab/test-connection.ts';
import type { JointSource, MemberSource, SourceManager, Testable } from '../source.ts';
import { memberChecks } from '../wire/member-checks.ts';
import type { ManagerOptions } from '../wire/options.ts';
import { managerService, type Service } from '../wire/refusal.ts';
import type { Findable } from '../wire/sought.ts';
import { hydraDialect, USUAL_CAPS, withTmdbOfSeries } from './dialect.ts';
import { rememberedHosts } from './hosts.ts';
import { fetchIndexers, MAX_INDEXERS } from './indexers.ts';
import { type Hydra, hydraMember, isAskable } from './member.ts';

/** Its caps follow its own settings, which the person may be changing just now. */
const CAPS_FRESH_FOR = 24 * 3_600_000;

/**
 * NZBHydra2 by its Newznab interface (protocols.md §6). It would wait for the slowest of its indexers and tell nothing of
 * those that fail, so each of them is asked by itself; as one, where it does not give their list.
 *
 * @throws INVALID_REQUEST when the address is no web address
 */
export function hydraSource(options: ManagerOptions, log: Logger): SourceManager & Testable {
  const { id, name, timeout, cacheFolder } = options;
  const service = managerService('NZBHydra2', options, 'in NZBHydra2 under Config, Main, Security');
  const usual = { service, usualCaps: USUAL_CAPS, capsFreshFor: CAPS_FRESH_FOR };
  const { client, caps } = newznabService(options, usual, log);
  const { base } = client.address;
  const hosts = rememberedHosts(cacheFolder, base, log);
  const hydra: Hydra = {
    ...{ options, client, log },
    caps: async (signal) => withTmdbOfSeries(await caps.get(signal)),
    dialect: hydraDialect(name, service, base, hosts),
    list: (signal) => fetchIndexers(client, signal),
  };
  const members = async (signal: AbortSignal): Promise<readonly MemberSource[] | undefined> => {
    const [listed, known] = await Promise.all([hydra.list(signal), hosts.known()]);
    const indexers = listed?.filter(({ state }) => state !== 'off').slice(0, MAX_INDEXERS);
    if (indexers?.every(isAskable) !== true) return undefined;
    if (indexers.length === 0) throw noIndexers(service);
    return indexers.map((each, at) => hydraMember(hydra, each, at + 1, known.get(each.name)));
  };
  const tested = {
    ...{ client, timeout, findable: FINDABLE },
    nothingListed: () => nothingListed(service),
    learn: (root: XmlElement) => caps.learn(parseCaps(root, USUAL_CAPS)),
    members: async (signal: AbortSignal) => {
      try {
        const all = await members(signal);
        return all && (await memberChecks(all, log, signal));
      } catch (error) {
        if (error instanceof Moved) return [askedAsOne(service, error)];
        throw error;
      }
    },
  };
  return {
    ...{ id, name },
    members: async (signal) => {
      try {
        return (await members(signal)) ?? joint(hydra);
      } catch (error) {
        // What is only read is sent on; the list is asked for by a request that is not sent twice.
        if (!(error instanceof Moved)) throw error;
        log.warning(`${service.who} is asked as one: ${error.message}`);
        return joint(hydra);
      }
    },
    test: (signal) => testConnection(tested, signal),
  };
}

const FINDABLE: Findable = {
  settings: { url: 'hydra_url', key: 'hydra_api_key' },
  usualPorts: ['5076'],
  usualPaths: ['/nzbhydra2', '/nzbhydra', '/hydra'],
  isTheirs: false,
};

/** It works, more slowly, and with nothing said of those that fail. */
const askedAsOne = ({ name }: Service, failure: Moved): Check => ({
  what: `The indexers of ${name} one by one`,
  isNote: true,
  setting: FINDABLE.settings.url,
  failure,
});

/** All that it tells of indexers whose accounts have ended, or that are switched off. */
const nothingListed = ({ who }: Service) =>
  new SlipstreamError('NO_RESULTS', {
    what: `${who} takes the key, but none of its indexers lists anything, not even the newest films.`,
    next: 'Look in NZBHydra2 under Config, Indexers whether they are on, and under Stats & Indexers what they fail of: an account may have expired.',
  });

/** All of its indexers with one query. */
function joint({ options: { id, name, timeout }, client, caps, dialect, log }: Hydra): JointSource {
  return {
    ...{ id, name, isJoint: true, patience: timeout },
    ...newznabAsker({ id, name, client, timeout, caps, dialect, log }),
  };
}

const noIndexers = ({ who }: Service) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${who} has no indexer that is switched on.`,
    next: 'Add one in NZBHydra2 (Config, Indexers), or search with something else.',
  });
