import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startIndexer } from '../../sandbox/indexer/start.ts';
import { serviceById } from '../../src/connections/services/index.ts';
import { tmdbService } from '../../src/connections/services/tmdb.ts';
import { type Check } from '../../src/diagnosis/check.ts';
import { parseSettings } from '../../src/settings/index.ts';
import { closedPort, serve } from '../support/http-server.ts';
import { frontOf } from './front.ts';
import { CANARY, type ServiceLab, startLab, testContext } from './labs.ts';

const ELSEWHERE = /settings of Slipstream|in the settings/;

/** What was entered when something is wrong with it. */
type Entered = (lab: ServiceLab) => Promise<Readonly<Record<string, string>>>;

const SIX: Readonly<Record<string, Entered>> = {
  'a wrong key': (lab) => Promise.resolve(lab.wrongKey),
  'a wrong port': async (lab) => ({ [lab.address]: at(lab, await anotherService(lab)) }),
  'a stopped service': async (lab) => ({ [lab.address]: at(lab, await closedPort()) }),
  'https for http': (lab) => Promise.resolve({ [lab.address]: at(lab, lab.url.replace('http:', 'https:')) }),
  'http for https': async (lab) => {
    const front = await frontOf(lab.url, { tls: true });
    return { [lab.address]: at(lab, front.replace('https:', 'http:')) };
  },
  'a missing path': async (lab) => ({ [lab.address]: await frontOf(lab.url, { path: lab.usualPath }) }),
  'an expired account': (lab) => Promise.resolve(lab.expire()),
};

/** The address of another server, with the path that the right one has. */
const at = (lab: ServiceLab, server: string) => {
  const { pathname } = new URL(lab.settings[lab.address] ?? '');
  return `${new URL(server).origin}${pathname.replace(/\/$/, '')}`;
};

/** What people have on the next port. */
async function anotherService({ id }: ServiceLab): Promise<string> {
  const service = await startIndexer(id === 'prowlarr' ? 'hydra' : 'prowlarr', { apiKey: 'another' });
  onTestFinished(() => service.close());
  return service.url;
}

/** Setting and words of the check that failed, with the hosts of the test called by one name. */
function inWords(checks: readonly Check[]): string {
  const all = checks.map(({ what, found, failure }) =>
    [what, found, failure?.message, failure?.explanation.what, failure?.explanation.next].join(' '),
  );
  expect(all.join('\n')).not.toMatch(CANARY);
  // The fields are in view, or are asked for next.
  for (const { failure } of checks)
    expect(`${failure?.explanation.what} ${failure?.explanation.next}`).not.toMatch(ELSEWHERE);
  expect(checks.length).toBeGreaterThan(0);
  // Only of several that do the same may more than one have failed.
  const others = checks.slice(0, -1).filter(({ isOneOfMany }) => isOneOfMany === undefined);
  expect(others.every(({ failure }) => failure === undefined)).toBe(true);
  const last = checks.at(-1);
  const { what = 'works', next = '' } = last?.failure?.explanation ?? {};
  return `${last?.setting ?? '-'}: ${what} ${next}`.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
}

async function verdict(lab: ServiceLab, entered: Entered): Promise<string> {
  const settings = parseSettings({ ...lab.settings, ...(await entered(lab)) });
  return inWords(await serviceById(lab.id).test(settings, await testContext()));
}

/** What is looked for side by side may take its whole time on a busy machine. */
const PLAIN = { timeout: 30_000 };

/** What each service has of its own in what it is told as. */
interface Told {
  /** As messages begin. */
  readonly it: string;
  /** Where another service answers in its place. */
  readonly called: string;
  /** Where its address stands. */
  readonly place: string;
  readonly isTheirs?: true;
  readonly wrongKey: string;
  readonly missingPath?: string;
  readonly expired: string;
}

const TOLD: Readonly<Record<ServiceLab['id'], Told>> = {
  newznab: {
    it: 'The indexer Example',
    called: 'the indexer Example',
    place: `its address`,
    isTheirs: true,
    wrongKey: `indexer_api_key: The indexer Example refused the API key. Enter the API key of Example again. It is shown on your profile page there.`,
    expired:
      'indexer_api_key: The indexer Example says that your account is suspended or has expired. Log in there and look at your account; if it is in order, look at the web site of the indexer.',
  },
  hydra: {
    it: 'NZBHydra2',
    called: 'NZBHydra2',
    place: `its address`,
    wrongKey: `hydra_api_key: NZBHydra2 refused the API key. Enter the API key of NZBHydra2 again. It is shown in NZBHydra2 under Config, Main, Security.`,
    // Of an indexer behind it.
    expired:
      '-: NZBHydra2 has switched the indexer Meadow off: Indexer refused authentication. Error code: 101. Description: Account suspended. Mend it in NZBHydra2 under Config, Indexers, and switch it on again there.',
  },
  prowlarr: {
    it: 'Prowlarr',
    called: 'Prowlarr',
    place: `its address`,
    wrongKey: `prowlarr_api_key: Prowlarr refused the API key. Enter the API key of Prowlarr again. It is shown in Prowlarr under Settings, General, Security.`,
    // Of an indexer behind it.
    expired:
      '-: Prowlarr says: Indexer VIP benefits have expired: Meadow, Burrow. Look at the account of that indexer on its web site, then in Prowlarr under System, Status.',
  },
  stremio: {
    it: 'Stremio add-on',
    called: 'the Stremio add-on',
    place: `its address`,
    isTheirs: true,
    wrongKey: `stremio_url: Stremio add-on refused the key that its address holds. Copy the address of the add-on anew; it may have expired.`,
    missingPath: `stremio_url: The address of the add-on ends after its host, and no add-on is there. Copy the whole address from the page of the add-on: what follows the host is your key.`,
    expired:
      '-: Stremio add-on says: Sandbox Your subscription has expired. Look at the page of the add-on, and at the services behind it.',
  },
  webdav: {
    it: 'nzbdav',
    called: 'nzbdav',
    place: 'the nzbdav address',
    wrongKey: 'webdav_api_key: nzbdav refused the API key. Copy it from the settings of nzbdav, SABnzbd.',
    // Of its usenet account nothing can be seen before something plays; that of its files may have ended.
    expired:
      'webdav_password: The WebDAV of nzbdav does not let this user in: the account has expired or may not read the files. Copy both from the settings of nzbdav, WebDAV; the password is not the API key.',
  },
  nzbget: {
    it: 'NZBGet',
    called: 'NZBGet',
    place: 'the NZBGet address',
    wrongKey:
      'nzbget_password: NZBGet refused the user or password. Copy ControlUsername and ControlPassword from the settings of NZBGet, Security.',
    expired:
      'nzbget_username: This user of NZBGet may add downloads, but not watch them. Enter ControlUsername and ControlPassword from the settings of NZBGet, Security, in place of the restricted ones.',
  },
  altmount: direct('AltMount', 'the API key from the page of your user in AltMount'),
  streamnzb: direct('StreamNZB', 'the token of your user from the settings of StreamNZB'),
};

function direct(name: string, key: string): Told {
  return {
    it: name,
    called: name,
    place: 'the streaming service address',
    wrongKey: `direct_api_key: ${name} refused the key. Copy ${key}.`,
    expired: `direct_api_key: ${name} does not let your account stream ("Your subscription has expired"). Look in ${name} whether the account is active, and whether the key belongs to it.`,
  };
}

/** What each of the cases is told as: the setting to look at, what is wrong, the next step. */
function toldOf({ id, address, usualPath }: ServiceLab): Readonly<Record<keyof typeof SIX, string>> {
  const { it, called, place, isTheirs, wrongKey, missingPath, expired } = TOLD[id];
  const another = id === 'prowlarr' ? 'NZBHydra2' : 'Prowlarr';
  const stopped = isTheirs
    ? `Check ${place}; if it is right, try again later.`
    : `Start the server, or correct the port in ${place}.`;
  return {
    'a wrong key': wrongKey,
    'a wrong port': `${address}: ${another} answers at HOST, not ${called}. Check the port of ${place}: each service has its own.`,
    'a stopped service': `${address}: Nothing runs at HOST. ${stopped}`,
    'https for http': `${address}: HOST does not speak HTTPS. Begin ${place} with http://.`,
    'http for https': `${address}: HOST does not speak plain HTTP. Begin ${place} with https://.`,
    'a missing path':
      missingPath ??
      `${address}: ${it} is at another path of this server. Enter http://HOST${usualPath} as ${place}.`,
    'an expired account': expired,
  };
}

describe.each(Object.keys(TOLD) as ServiceLab['id'][])('%s', (id) => {
  test('works as it is set up', PLAIN, async () => {
    expect(await verdict(await startLab(id), () => Promise.resolve({}))).toBe('-: works ');
  });

  test.each(Object.entries(SIX))('tells %s', PLAIN, async (name, entered) => {
    const lab = await startLab(id);
    expect(await verdict(lab, entered)).toBe(toldOf(lab)[name]);
  });

  test('tells http for https also where a page says so', PLAIN, async () => {
    const lab = await startLab(id);
    const polite: Entered = async () => {
      const front = await frontOf(lab.url, { tls: 'polite' });
      return { [lab.address]: at(lab, front.replace('https:', 'http:')) };
    };
    expect(await verdict(lab, polite)).toBe(toldOf(lab)['http for https']);
  });

  test('is looked for without its key at addresses that were not entered', PLAIN, async () => {
    const lab = await startLab(id);
    await verdict(lab, async () => ({ [lab.address]: await frontOf(lab.url, { path: lab.usualPath }) }));
    // The add-on alone is asked at its own origin, where its path is the key.
    if (id !== 'stremio') expect(lab.requests.length).toBeGreaterThan(0);
    for (const { query, headers } of lab.requests) {
      expect(Object.keys({ ...query, ...headers })).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(?:apikey|x-api-key|authorization)$/)]),
      );
      expect(JSON.stringify(query)).not.toMatch(CANARY);
    }
  });

  test('tells each of them in words of its own', async () => {
    const told = Object.values(toldOf(await startLab(id)));
    expect(new Set(told).size).toBe(Object.keys(SIX).length);
  });
});

// Its address is not entered, so there is no port, no scheme and no path of it to be wrong.
describe('tmdb', () => {
  const KEY = 'canary-tmdb-91ce77';
  const said = (status: number, status_code: number) => (_request: unknown, response: ServerResponse) => {
    response
      .writeHead(status)
      .end(JSON.stringify({ status_code, success: status === 200, status_message: KEY }));
  };

  test.each<[string, RequestListener | undefined, string]>([
    ['works as it is set up', said(200, 1), '-: works '],
    [
      'tells a wrong key',
      said(401, 7),
      'tmdb_api_key: TMDb refuses the key. Copy it again from themoviedb.org (Settings, API), or leave it empty.',
    ],
    [
      'tells an account that has ended',
      said(401, 10),
      'tmdb_api_key: TMDb has suspended the account of this key. Look at your account on themoviedb.org, or leave the key empty.',
    ],
    [
      'tells a network that lets nobody through',
      (_request, response) => response.end('<html>Log in to the hotel</html>'),
      '-: Something else answers in place of TMDb. Look whether this network wants a login or blocks themoviedb.org.',
    ],
    ['tells a limit', said(429, 25), '-: TMDb asks for patience: too many requests. Try again in a minute.'],
    [
      'tells that it is away',
      undefined,
      '-: TMDb cannot be reached (nothing listens there). Look whether this device has a way to the internet; films play without TMDb.',
    ],
  ])('%s', async (_what, listener, told) => {
    const url = listener === undefined ? await closedPort() : await serve(listener);
    const checks = await tmdbService(url).test(parseSettings({ tmdb_api_key: KEY }), await testContext());
    expect(inWords(checks)).toBe(told);
  });
});
