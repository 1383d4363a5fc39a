import * as v from 'valibot';
import { answers, explainAddress, type Probing, runSteps, type Step } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { Check } from '../../settings/index.ts';
import type { MemberSource } from '../source.ts';
import { memberChecks } from '../wire/member-checks.ts';
import { oneLine } from '../wire/refusal.ts';
import { type Findable, LONGEST_GREETING, refusedKey, soughtSource } from '../wire/sought.ts';
import type { Client, Resource } from './client.ts';
import { complaintsOf } from './health.ts';

export interface Tested {
  readonly client: Client;
  /** As SourceManager. */
  readonly members: (signal: AbortSignal) => Promise<readonly MemberSource[]>;
  readonly log: Logger;
}

const FINDABLE: Findable = {
  settings: { url: 'prowlarr_url', key: 'prowlarr_api_key' },
  usualPorts: ['9696'],
  usualPaths: ['/prowlarr'],
  isTheirs: false,
};

/** As Testable.test: that it is Prowlarr, takes the key, and what each of its usenet indexers is at. None is asked. */
export function testConnection(tested: Tested, signal: AbortSignal): Promise<readonly Check[]> {
  let refused: SlipstreamError | undefined;
  const greet = greeting(tested.client, (error) => {
    refused = error;
  });
  return runSteps([greet, indexers(tested, () => refused)], signal);
}

const STATUS: Resource<{ readonly appName: string; readonly version: string }> = {
  path: '/system/status',
  schema: v.object({ appName: v.string(), version: v.string() }),
};

function greeting(client: Client, refuse: (error: SlipstreamError) => void): Step {
  const { service, address } = client;
  const sought = soughtSource(service, address, FINDABLE, isProwlarr);
  return {
    what: () => `The address of ${service.name}`,
    run: async (signal) => {
      try {
        const status = await client.get(STATUS, { signal, timeout: LONGEST_GREETING });
        return oneLine(`${status.appName} ${status.version}`, 60);
      } catch (thrown) {
        refuse(await refusedKey(thrown, sought, signal));
        return undefined;
      }
    },
    explain: async (error, signal) => {
      // The key is what was put into a header.
      if (error.code === 'INVALID_REQUEST') return { failure: error, setting: FINDABLE.settings.key };
      const failure = await explainAddress(error, sought, { signal });
      return { failure, setting: FINDABLE.settings.url };
    },
  };
}

/** Without a key it answers 401 and says no more; others say how to log in, or in which form they refuse. */
const isProwlarr = (base: string, probing: Probing): Promise<boolean> =>
  answers(
    { url: `${base}/api/v1/system/status`, ...probing },
    ({ status, headers, body }) =>
      status === 401 && headers['www-authenticate'] === undefined && body.byteLength === 0,
  );

/** A line for each, and one for what Prowlarr finds fault with beside that: an account that has expired, say. */
function indexers({ client, members, log }: Tested, refused: () => SlipstreamError | undefined): Step {
  return {
    what: () => `The usenet indexers of ${client.service.name}`,
    run: async (signal) => {
      const before = refused();
      if (before !== undefined) throw before;
      const [lines, complaints] = await Promise.all([
        members(signal).then((all) => memberChecks(all, log, signal)),
        complaintsOf(client, { signal, log }),
      ]);
      return [...lines, ...complaints.map((words) => complained(client, words))];
    },
    explain: (failure) => ({
      failure,
      ...(failure.code === 'AUTH_FAILED' && { setting: FINDABLE.settings.key }),
    }),
  };
}

const complained = ({ service }: Client, words: string): Check => ({
  what: `What ${service.name} says of its indexers`,
  isNote: true,
  failure: new SlipstreamError('SERVICE_ERROR', {
    what: `${service.who} says: ${words}.`,
    next: 'Look at the account of that indexer on its web site, then in Prowlarr under System, Status.',
  }),
});
