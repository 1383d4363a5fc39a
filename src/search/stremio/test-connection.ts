import { answers, explainAddress, type Probing, runSteps, type Step } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import type { Check } from '../../settings/index.ts';
import type { Remembered } from '../wire/remembered.ts';
import { type Findable, soughtSource } from '../wire/sought.ts';
import type { Client } from './client.ts';
import { fetchOffer, type Offer } from './manifest.ts';
import { rowsOf, Streams } from './rows.ts';

export interface Tested {
  readonly client: Client;
  readonly offer: Remembered<Offer>;
}

const FINDABLE: Findable = {
  // The address is the key.
  settings: { url: 'stremio_url', key: 'stremio_url' },
  usualPorts: [],
  usualPaths: [],
};

/** Big Buck Bunny, which may be shown everywhere. */
const TEST_FILM = { imdb: 'tt1254207' };

/** As SearchSource.test: that it is an add-on, lists streams, and says of a film what it has, or why it cannot. */
export function testConnection(tested: Tested, signal: AbortSignal): Promise<readonly Check[]> {
  return runSteps([manifest(tested), streams(tested)], signal);
}

function manifest({ client, offer }: Tested): Step {
  const { service, address } = client;
  const setting = FINDABLE.settings.url;
  const sought = soughtSource(service, address, FINDABLE, speaksHttp);
  return {
    what: () => `The address of ${service.name}`,
    run: async (signal) => {
      const told = await fetchOffer(client, signal);
      await offer.learn(told);
      const { types } = told;
      if (!types.some((type) => type === 'movie' || type === 'series')) throw noStreams(client);
      return `lists streams of ${types.join(', ')}`.slice(0, 80);
    },
    explain: async (error, signal) => {
      if (lacksPath(client, error)) return { failure: pathMissing(client, error), setting };
      if (error.code === 'AUTH_FAILED' || error.code === 'NOT_CONFIGURED') return { failure: error, setting };
      return { failure: await explainAddress(error, sought, { signal }), setting };
    },
  };
}

/** Where it is looked for by another scheme: its path is a key, so it is not asked for what only it has. */
const speaksHttp = (base: string, { signal, timeout }: Probing): Promise<boolean> =>
  answers({ url: `${new URL(base).origin}/`, signal, timeout }, ({ status }) => status !== 400);

/** The part behind the host is what tells one person's add-on from another's; few have none. */
const lacksPath = ({ address }: Client, { code }: SlipstreamError) =>
  new URL(address.base).pathname === '/' && (code === 'AUTH_FAILED' || code === 'BAD_ANSWER');

const pathMissing = ({ service }: Client, cause: SlipstreamError) =>
  new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `The address of ${service.who} ends after its host, and no add-on is there.`,
      next: `Copy the whole address from the page of the add-on into ${service.setUpIn}: what follows the host is your key.`,
    },
    { cause, detail: cause.message },
  );

const noStreams = ({ service }: Client) =>
  new SlipstreamError('NOT_CONFIGURED', {
    what: `${service.who} lists no streams of films or series.`,
    next: 'Switch that on at the page of the add-on, or enter the address of another one.',
  });

function streams({ client, offer }: Tested): Step {
  const { service, address } = client;
  return {
    what: () => `A search by ${service.name}`,
    run: async (signal) => {
      const { types, prefixes } = await offer.get(signal);
      if (!types.includes('movie') || !prefixes.includes('tt')) return 'takes no ids of IMDb for films';
      const listed = await client.get(`/stream/movie/${TEST_FILM.imdb}.json`, Streams, signal);
      const origin = { source: 'test', service, base: address.base, claims: TEST_FILM };
      const { postings, failures } = rowsOf(listed.streams, origin);
      const [failure] = failures;
      if (postings.length === 0 && failure !== undefined) throw failure;
      return `${postings.length} streams of Big Buck Bunny`;
    },
    explain: (failure) => ({
      failure,
      ...(failure.code === 'AUTH_FAILED' && { setting: FINDABLE.settings.key }),
    }),
  };
}
