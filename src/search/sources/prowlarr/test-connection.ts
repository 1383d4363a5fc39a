import * as v from 'valibot';
import type { Check } from '../../../diagnosis/check.ts';
import {
  type CheckStep,
  explainAddress,
  type ProbeOptions,
  probeMatches,
  runCheckSteps,
} from '../../../diagnosis/index.ts';
import { SlipstreamError } from '../../../errors/index.ts';
import { phraseOf } from '../../../io/external-text.ts';
import type { Logger } from '../../../log/index.ts';
import { memberChecks } from '../common/member-checks.ts';
import {
  confirmKeyRefusal,
  GREETING_TIMEOUT,
  type ProbeDefaults,
  probeTargetOf,
} from '../common/probe-target.ts';
import type { MemberSource } from '../source.ts';
import type { ProwlarrClient, Resource } from './client.ts';
import { fetchHealthMessages } from './health.ts';

export interface ProwlarrTest {
  readonly client: ProwlarrClient;
  /** As SourceManager. */
  readonly members: (signal: AbortSignal) => Promise<readonly MemberSource[]>;
  readonly log: Logger;
}

const PROBE_DEFAULTS: ProbeDefaults = {
  settings: { url: 'prowlarr_url', key: 'prowlarr_api_key' },
  usualPorts: ['9696'],
  usualPaths: ['/prowlarr'],
  isThirdParty: false,
};

/** As Testable.test: that it is Prowlarr, takes the key, and what each of its usenet indexers is at. None is asked. */
export function testConnection(tested: ProwlarrTest, signal: AbortSignal): Promise<readonly Check[]> {
  let refused: SlipstreamError | undefined;
  const greet = checkAddress(tested.client, (error) => {
    refused = error;
  });
  return runCheckSteps([greet, checkIndexers(tested, () => refused)], signal);
}

const STATUS: Resource<{ readonly appName: string; readonly version: string }> = {
  path: '/system/status',
  schema: v.object({ appName: v.string(), version: v.string() }),
};

function checkAddress(client: ProwlarrClient, refuse: (error: SlipstreamError) => void): CheckStep {
  const { service, address } = client;
  const sought = probeTargetOf(service, address, PROBE_DEFAULTS, isProwlarr);
  return {
    what: () => `The address of ${service.name}`,
    run: async (signal) => {
      try {
        const status = await client.get(STATUS, { signal, timeout: GREETING_TIMEOUT });
        return phraseOf(`${status.appName} ${status.version}`, 60);
      } catch (thrown) {
        refuse(await confirmKeyRefusal(thrown, sought, signal));
        return undefined;
      }
    },
    explain: async (error, signal) => {
      // The key is what was put into a header.
      if (error.code === 'INVALID_REQUEST') return { failure: error, setting: PROBE_DEFAULTS.settings.key };
      const failure = await explainAddress(error, sought, { signal });
      return { failure, setting: PROBE_DEFAULTS.settings.url };
    },
  };
}

/** Without a key it answers 401 and says no more; others say how to log in, or in which form they refuse. */
const isProwlarr = (base: string, probing: ProbeOptions): Promise<boolean> =>
  probeMatches(
    { url: `${base}/api/v1/system/status`, ...probing },
    ({ status, headers, body }) =>
      status === 401 && headers['www-authenticate'] === undefined && body.byteLength === 0,
  );

/** A line for each, and one for what Prowlarr finds fault with beside that: an account that has expired, say. */
function checkIndexers(
  { client, members, log }: ProwlarrTest,
  refused: () => SlipstreamError | undefined,
): CheckStep {
  return {
    what: () => `The usenet indexers of ${client.service.name}`,
    run: async (signal) => {
      const before = refused();
      if (before !== undefined) throw before;
      const [lines, complaints] = await Promise.all([
        members(signal).then((all) => memberChecks(all, log, signal)),
        fetchHealthMessages(client, { signal, log }),
      ]);
      return [...lines, ...complaints.map((words) => healthNote(client, words))];
    },
    explain: (failure) => ({
      failure,
      ...(failure.code === 'AUTH_FAILED' && { setting: PROBE_DEFAULTS.settings.key }),
    }),
  };
}

const healthNote = ({ service }: ProwlarrClient, words: string): Check => ({
  what: `What ${service.name} says of its indexers`,
  isNote: true,
  failure: new SlipstreamError('SERVICE_ERROR', {
    what: `${service.who} says: ${words}.`,
    next: 'Look at the account of that indexer on its web site, then in Prowlarr under System, Status.',
  }),
});
