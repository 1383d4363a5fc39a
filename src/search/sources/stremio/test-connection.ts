import type { Check } from '../../../diagnosis/check.ts';
import {
  type CheckStep,
  explainAddress,
  type ProbeTarget,
  probeMatches,
  refusedByOtherServer,
  runCheckSteps,
} from '../../../diagnosis/index.ts';
import { SlipstreamError } from '../../../errors/index.ts';
import type { Persisted } from '../common/persisted.ts';
import { type ProbeDefaults, probeTargetOf } from '../common/probe-target.ts';
import type { SearchQuery } from '../source.ts';
import type { AddonClient } from './client.ts';
import type { StreamList, StreamLister } from './list-streams.ts';
import { type AddonManifest, fetchManifest } from './manifest.ts';
import { checkOrigin } from './origin-check.ts';
import { streamQueryOf } from './stream-query.ts';
import { explainWrongAioStreams } from './wrong-address.ts';

export interface Addon {
  readonly client: AddonClient;
  readonly manifest: Persisted<AddonManifest>;
  readonly list: StreamLister;
}

/** Milliseconds for a look at who answers. */
const PROBE_TIMEOUT = 3_000;

const PROBE_DEFAULTS: ProbeDefaults = {
  // The address is the key.
  settings: { url: 'stremio_url', key: 'stremio_url' },
  usualPorts: [],
  usualPaths: [],
  isThirdParty: true,
};

/** Big Buck Bunny, which may be shown everywhere. */
const TEST_FILM: SearchQuery = { kind: 'movie', area: 'movies', id: { kind: 'imdb', value: 'tt1254207' } };

/** As SearchSource.test: that it is an add-on, lists streams, and says of a film what it has, or why it cannot. */
export function testConnection(tested: Addon, signal: AbortSignal): Promise<readonly Check[]> {
  return runCheckSteps([checkManifest(tested), checkStreams(tested)], signal);
}

function checkManifest({ client, manifest: offer }: Addon): CheckStep {
  const { service, address } = client;
  const setting = PROBE_DEFAULTS.settings.url;
  const sought: ProbeTarget = {
    ...probeTargetOf(service, address, PROBE_DEFAULTS, isAtOtherScheme(address.base)),
    names: SERVICE_NAMES,
  };
  return {
    what: () => `The address of ${service.name}`,
    run: async (signal) => {
      const told = await fetchManifest(client, signal);
      await offer.set(told);
      const { types } = told;
      if (!types.some((type) => type === 'movie' || type === 'series')) throw noStreamsError(client);
      return `lists streams of ${types.join(', ')}`.slice(0, 80);
    },
    explain: async (error, signal) => {
      const wrong = await explainWrongAioStreams(error, address.base, { signal, timeout: PROBE_TIMEOUT });
      if (wrong !== undefined) return { failure: wrong, setting };
      if (lacksPath(client, error)) return { failure: missingPathError(client, error), setting };
      if (error.code === 'NOT_CONFIGURED') return { failure: error, setting };
      if (error.code === 'AUTH_FAILED') {
        const other = await refusedByOtherServer(error, { ...sought, isAt: isNeverAt }, { signal });
        return { failure: other ?? error, setting };
      }
      return { failure: await explainAddress(error, sought, { signal }), setting };
    },
  };
}

/** Services that are such add-ons among other things. */
const SERVICE_NAMES: NonNullable<ProbeTarget['names']> = [
  'the Stremio add-on',
  'UsenetStreamer',
  'AIOStreams',
  'StreamNZB',
  'AltMount',
  'nzbdav',
];

/** Without its key nothing tells an add-on from anybody else. */
const isNeverAt = () => Promise.resolve(false);

/** Its path is a key, so whatever speaks by the other scheme at its host and port counts as it. */
const isAtOtherScheme =
  (typed: string): ProbeTarget['isAt'] =>
  async (base, { signal, timeout }) => {
    const { origin, protocol } = new URL(base);
    if (protocol === new URL(typed).protocol) return false;
    return await probeMatches({ url: `${origin}/`, signal, timeout }, ({ status }) => status !== 400);
  };

/** The part behind the host is what tells one person's add-on from another's; few have none. */
const lacksPath = ({ address }: AddonClient, { code }: SlipstreamError) =>
  new URL(address.base).pathname === '/' && (code === 'AUTH_FAILED' || code === 'BAD_ANSWER');

const missingPathError = ({ service }: AddonClient, cause: SlipstreamError) =>
  new SlipstreamError(
    'BAD_ANSWER',
    {
      what: 'The address of the add-on ends after its host, and no add-on is there.',
      next: `Copy the whole address from the page of the add-on into ${service.setUpIn}: what follows the host is your key.`,
    },
    { cause, detail: cause.message },
  );

const noStreamsError = ({ service }: AddonClient) =>
  new SlipstreamError('NOT_CONFIGURED', {
    what: `${service.who} lists no streams of films or series.`,
    next: 'Switch that on at the page of the add-on, or enter the address of another one.',
  });

function checkStreams({ client, manifest: offer, list }: Addon): CheckStep {
  const who = client.service.name;
  const what = `A search by ${who}`;
  return {
    what: () => what,
    run: async (signal) => {
      const offered = await offer.get(signal);
      const wanted = streamQueryOf(TEST_FILM, offered);
      if (wanted === undefined) return 'takes no ids of IMDb for films';
      const listed = await list(wanted, offered, signal);
      // What is wrong with one of those behind it keeps nobody from asking the others.
      const notes = listed.failures.map((failure): Check => ({ what, failure, isNote: true }));
      const misplaced = await checkOrigin(listed.postings, { what, who, signal });
      return [{ what, found: foundText(listed, offered) }, ...notes, ...misplaced];
    },
    explain: (failure) => ({
      failure,
      ...(failure.code === 'AUTH_FAILED' && { setting: PROBE_DEFAULTS.settings.key }),
    }),
  };
}

/** Tells of a service that has both what it is asked for. */
function foundText({ postings, form }: StreamList, { service }: AddonManifest): string {
  if (form === 'NZBs') return `${postings.length} NZBs of Big Buck Bunny, for your backend`;
  const found = `${postings.length} streams of Big Buck Bunny`;
  return service === 'aiostreams' || service === 'streamnzb' ? `${found}, which it plays itself` : found;
}
