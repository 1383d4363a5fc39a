import * as v from 'valibot';
import { answers, explainAddress, type Probing, runSteps, type Step } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { Check } from '../../settings/index.ts';
import { oneLine } from '../wire/refusal.ts';
import type { Remembered } from '../wire/remembered.ts';
import { type Findable, LONGEST_GREETING, refusedKey, soughtSource } from '../wire/sought.ts';
import { type Client, isRefusal, type Resource } from './client.ts';
import { allUnavailable, failuresOf } from './failures.ts';
import { complaintsOf } from './health.ts';
import { fetchIndexers, type Indexer } from './indexers.ts';

export interface Tested {
  readonly client: Client;
  readonly indexers: Remembered<readonly Indexer[]>;
  /** One row of whatever is newest at these. @returns how many there are; 'nobody': none of them can be asked */
  readonly newest: (asked: readonly Indexer[], signal: AbortSignal) => Promise<number | 'nobody'>;
  readonly circumstances: Omit<Parameters<typeof failuresOf>[2], 'signal'>;
}

const FINDABLE: Findable = {
  settings: { url: 'prowlarr_url', key: 'prowlarr_api_key' },
  usualPorts: ['9696'],
  usualPaths: ['/prowlarr'],
  isTheirs: false,
};

/** As SearchSource.test: that it is Prowlarr, takes the key, has usenet indexers that work, and lists something. */
export function testConnection(tested: Tested, signal: AbortSignal): Promise<readonly Check[]> {
  let refused: SlipstreamError | undefined;
  let found: readonly Indexer[] = [];
  const steps = [
    greeting(tested.client, (error) => {
      refused = error;
    }),
    indexersStep(tested, {
      refused: () => refused,
      tell: (indexers) => {
        found = indexers;
      },
    }),
    searchStep(tested, () => found),
  ];
  return runSteps(steps, signal);
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
        return isRefusal(status) ? undefined : oneLine(`${status.appName} ${status.version}`, 60);
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

interface Telling {
  readonly refused: () => SlipstreamError | undefined;
  readonly tell: (indexers: readonly Indexer[]) => void;
}

function indexersStep({ client, indexers, circumstances }: Tested, { refused, tell }: Telling): Step {
  return {
    what: () => `The usenet indexers of ${client.service.name}`,
    run: async (signal) => {
      const before = refused();
      if (before !== undefined) throw before;
      const all = await fetchIndexers(client, { signal, timeout: circumstances.timeout });
      await indexers.learn(all);
      tell(all);
      return all.map(({ name }) => oneLine(name, 40)).join(', ');
    },
    explain: (failure) => ({
      failure,
      ...(failure.code === 'AUTH_FAILED' && { setting: FINDABLE.settings.key }),
    }),
  };
}

function searchStep({ client, newest, circumstances }: Tested, indexers: () => readonly Indexer[]): Step {
  const why = async (signal: AbortSignal): Promise<SlipstreamError> => {
    const [failures, complaints] = await Promise.all([
      failuresOf(indexers(), client, { ...circumstances, signal }),
      complaintsOf(client, { ...circumstances, signal }),
    ]);
    if (complaints.length > 0) return complained(client, complaints);
    return failures.length > 0 ? allUnavailable(client, failures) : nothingListed(client);
  };
  return {
    what: () => `A search by ${client.service.name}`,
    run: async (signal) => {
      const rows = await newest(indexers(), signal);
      if (rows === 'nobody' || rows === 0) throw await why(signal);
      return 'lists releases';
    },
    explain: (failure) => ({ failure }),
  };
}

const complained = ({ service }: Client, complaints: readonly string[]) =>
  new SlipstreamError('SERVICE_ERROR', {
    what: `${service.who} lists nothing, and says: ${complaints.join('; ')}.`,
    next: 'Look at the account of that indexer on its web site, then in Prowlarr under System, Status.',
  });

const nothingListed = ({ service }: Client) =>
  new SlipstreamError('NO_RESULTS', {
    what: `${service.who} takes the key, but none of its usenet indexers lists anything, not even the newest films.`,
    next: 'Test each of them in Prowlarr (Indexers): an account may have expired.',
  });
