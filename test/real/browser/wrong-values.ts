import { join } from 'node:path';
import { startAioStreams } from '../../../sandbox/direct-stream/aiostreams/index.ts';
import { startDirectStream, WEBDAV_LOGIN } from '../../../sandbox/direct-stream/index.ts';
import { startStremio } from '../../../sandbox/direct-stream/stremio.ts';
import { ALTMOUNT, CANARY, INFINIDYSK, startSandbox } from '../../../sandbox/index.ts';
import { startIndexer } from '../../../sandbox/indexer/start.ts';
import { startNzbget } from '../../../sandbox/nzbget/index.ts';

const KEY = 'canary-key-8b21f0';
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';

/** A value that is wrong in a field, and what the page then says at the fields that it marks. */
interface Wrong {
  readonly field: string;
  readonly value: string;
  /**
   * The fields that are marked, and no other one: it is said at the first; at the others, that they may be it instead. None
   * where it works all the same, and is noted. Default: the field itself.
   */
  readonly marks?: readonly string[];
  readonly says: RegExp;
  /** The button that mends it. */
  readonly button?: string;
}

/** A card of the page: what belongs into its fields, and what is wrong once in each. */
export interface CardTable {
  readonly title: string;
  /** What is chosen as its kind first, where it has one. */
  readonly kind?: string;
  readonly right: Readonly<Record<string, string>>;
  readonly wrong: readonly Wrong[];
}

/** Every service of the page, as a sandbox. */
export async function startServices() {
  const [backend, strict, telling, hydra, prowlarr, stremio, aiostreams] = await Promise.all([
    // Its user is another one than the settings begin with.
    startSandbox({ username: 'sita' }),
    startSandbox({ dialect: ALTMOUNT }),
    startSandbox({ dialect: INFINIDYSK, username: 'sita' }),
    startIndexer('hydra', { apiKey: KEY }),
    startIndexer('prowlarr', { apiKey: KEY }),
    startStremio({ apiKey: KEY }),
    // Several tests ask it within its ten seconds.
    startAioStreams({ limits: 'off' }),
  ]);
  const [nzbget, altmount, streamnzb] = await Promise.all([
    startNzbget(),
    startDirectStream('altmount', { apiKey: KEY }),
    startDirectStream('streamnzb', { apiKey: KEY }),
  ]);
  const all = {
    backend,
    strict,
    telling,
    hydra,
    prowlarr,
    stremio,
    aiostreams,
    nzbget,
    altmount,
    streamnzb,
  };
  return {
    ...all,
    close: async () => {
      await Promise.all(Object.values(all).map((each) => each.close()));
    },
  };
}

export type Services = Awaited<ReturnType<typeof startServices>>;

const overTls = (url: string) => url.replace('http:', 'https:');

/** TMDb is at no address of the person's. */
export const TMDB_KEY = 'canary-tmdb-51c7';

type CardOf = (services: Services) => CardTable;

const refusedKey = (field: string): Wrong => ({ field, value: 'wrong', says: /refused the API key/ });
const speaksNoTls = (field: string, url: string): Wrong => ({
  field,
  value: overTls(url),
  says: /does not speak HTTPS/,
  button: `Use ${url}`,
});
const isProwlarr = (field: string, { prowlarr }: Services): Wrong => ({
  field,
  value: prowlarr.url,
  says: /Prowlarr answers at .*, not NZBHydra2/,
});
const nothingRuns = (field: string): Wrong => ({
  field,
  value: NOWHERE,
  says: /Nothing runs at 127\.0\.0\.1:9/,
});

/** What of a Stremio add-on's address may go wrong where it is copied: its end, or a letter of it. */
const miscopied = (field: string, { stremio }: Services): readonly Wrong[] => [
  { field, value: stremio.url.slice(0, -1), says: /Copy the address of the add-on anew/ },
];
const misspelled = (field: string, { aiostreams }: Services): readonly Wrong[] => {
  const says = /AIOStreams .*Copy it anew at http:\S+\/stremio\/configure/;
  const { uuid, password } = aiostreams.settings.user;
  return [
    { field, value: aiostreams.addon.replace(uuid, `6${uuid.slice(1)}`), says },
    { field, value: aiostreams.addon.replace(password, password.slice(1)), says },
  ];
};

/** What is tried in each card. */
export const CARDS: Readonly<Record<string, CardOf>> = {
  Indexer: ({ backend }) => ({
    title: 'Indexer',
    right: { 'Indexer address': backend.indexer.url, 'Indexer API key': CANARY.indexerKey },
    wrong: [nothingRuns('Indexer address'), refusedKey('Indexer API key')],
  }),
  NZBHydra2: (services) => ({
    title: 'NZBHydra2',
    right: { 'NZBHydra2 address': services.hydra.url, 'NZBHydra2 API key': KEY },
    wrong: [isProwlarr('NZBHydra2 address', services), refusedKey('NZBHydra2 API key')],
  }),
  Prowlarr: ({ prowlarr }) => ({
    title: 'Prowlarr',
    right: { 'Prowlarr address': prowlarr.url, 'Prowlarr API key': KEY },
    wrong: [speaksNoTls('Prowlarr address', prowlarr.url), refusedKey('Prowlarr API key')],
  }),
  'Stremio add-on': (services) => ({
    title: 'Stremio add-on',
    right: { 'Stremio add-on': services.stremio.url },
    wrong: miscopied('Stremio add-on', services),
  }),
  AIOStreams: (services) => ({
    title: 'Stremio add-on',
    right: { 'Stremio add-on': services.aiostreams.addon },
    wrong: misspelled('Stremio add-on', services),
  }),
  'another indexer': ({ backend }) => ({
    title: 'Add one',
    right: { Address: backend.indexer.url, Key: CANARY.indexerKey },
    wrong: [speaksNoTls('Address', backend.indexer.url), refusedKey('Key')],
  }),
  'another NZBHydra2': (services) => ({
    title: 'Add one',
    kind: 'NZBHydra2',
    right: { Address: services.hydra.url, Key: KEY },
    wrong: [isProwlarr('Address', services), refusedKey('Key')],
  }),
  'another Prowlarr': ({ prowlarr }) => ({
    title: 'Add one',
    kind: 'Prowlarr',
    right: { Address: prowlarr.url, Key: KEY },
    wrong: [speaksNoTls('Address', prowlarr.url), refusedKey('Key')],
  }),
  'another Stremio add-on': (services) => ({
    title: 'Add one',
    kind: 'Stremio add-on',
    right: { Address: services.stremio.url },
    wrong: miscopied('Address', services),
  }),
  'another AIOStreams': (services) => ({
    title: 'Add one',
    kind: 'Stremio add-on',
    right: { Address: services.aiostreams.addon },
    wrong: misspelled('Address', services),
  }),
  nzbdav: ({ backend: { backend } }) => ({
    title: 'nzbdav',
    right: {
      'nzbdav address': backend.apiUrl,
      'nzbdav API key': backend.apiKey,
      'WebDAV user': backend.username,
      'WebDAV password': backend.password,
      'WebDAV address': backend.webdavUrl,
    },
    wrong: [
      speaksNoTls('nzbdav address', backend.apiUrl),
      refusedKey('nzbdav API key'),
      { field: 'WebDAV user', value: 'somebody', marks: SHARE, says: /refused the user or password\. / },
      // Without one it is what it is to begin with.
      {
        field: 'WebDAV user',
        value: '',
        marks: SHARE,
        says: /refused the user or password \(user admin, which you have not changed\)\. /,
      },
      { field: 'WebDAV password', value: 'wrong', marks: SHARE, says: /refused the user or password\. / },
      elsewhere(backend.apiUrl),
    ],
  }),
  InfiniDysk: ({ telling: { backend } }) => ({
    title: 'nzbdav',
    right: {
      'nzbdav address': backend.apiUrl,
      'nzbdav API key': backend.apiKey,
      'WebDAV user': backend.username,
      'WebDAV password': backend.password,
      'WebDAV address': backend.webdavUrl,
    },
    wrong: [
      nothingRuns('nzbdav address'),
      refusedKey('nzbdav API key'),
      // It tells its user to whoever has its key.
      ...['rama', 'admin'].map((value) => ({
        field: 'WebDAV user',
        value,
        says: new RegExp(`has another user than ${value}\\.`),
        button: `Use ${backend.username}`,
      })),
      { field: 'WebDAV password', value: 'admin', says: /InfiniDysk refused the password\./ },
      elsewhere(backend.apiUrl),
    ],
  }),
  // It refuses categories that it does not know.
  'AltMount by its WebDAV': ({ strict: { backend } }) => ({
    title: 'nzbdav',
    right: {
      'nzbdav address': backend.apiUrl,
      'nzbdav API key': backend.apiKey,
      'WebDAV user': backend.username,
      'WebDAV password': backend.password,
      'WebDAV address': backend.webdavUrl,
      'Category for films': 'movies',
      'Category for episodes': 'tv',
    },
    wrong: [
      { field: 'Category for films', value: 'films', says: /enter one that it has: Movies/ },
      { field: 'Category for episodes', value: 'series', says: /enter one that it has: Movies, TV/ },
    ],
  }),
  NZBGet: ({ nzbget }) => ({
    title: 'NZBGet',
    right: {
      'NZBGet address': nzbget.url,
      'NZBGet user': nzbget.username,
      'NZBGet password': nzbget.password,
      'Folder of finished downloads': nzbget.folder,
      'The same folder in NZBGet': nzbget.serverFolder,
      'NZBGet category for films': 'Movies',
      'NZBGet category for episodes': 'Series',
    },
    wrong: [
      nothingRuns('NZBGet address'),
      { field: 'NZBGet user', value: nzbget.addOnly.username, marks: LOGIN, says: /user or password/ },
      { field: 'NZBGet password', value: 'wrong', marks: LOGIN, says: /user or password/ },
      {
        field: 'Folder of finished downloads',
        value: '',
        says: /does not know where to find what NZBGet has finished\. Enter the folder of finished downloads\.$/,
      },
      { field: 'Folder of finished downloads', value: join(nzbget.folder, 'none'), says: /folder/ },
      { field: 'The same folder in NZBGet', value: '/somewhere/else', says: /folder/ },
      { field: 'NZBGet category for films', value: 'films', says: /Movies/ },
      { field: 'NZBGet category for episodes', value: 'episodes', says: /Series/ },
    ],
  }),
  AltMount: ({ altmount }) => ({
    title: 'AltMount',
    right: {
      'Streaming service address': altmount.url,
      'Streaming service key': KEY,
      'AltMount WebDAV user': WEBDAV_LOGIN.username,
      'AltMount WebDAV password': WEBDAV_LOGIN.password,
    },
    wrong: [
      nothingRuns('Streaming service address'),
      { field: 'Streaming service key', value: 'wrong', says: /refused the key/ },
      { field: 'AltMount WebDAV user', value: 'somebody', marks: [], says: REFUSED_SHARE },
      { field: 'AltMount WebDAV password', value: 'wrong', marks: [], says: REFUSED_SHARE },
    ],
  }),
  StreamNZB: ({ streamnzb }) => ({
    title: 'StreamNZB',
    right: { 'Streaming service address': streamnzb.url, 'Streaming service key': KEY },
    wrong: [
      nothingRuns('Streaming service address'),
      { field: 'Streaming service key', value: 'wrong', says: /refused the key/ },
    ],
  }),
  TMDb: () => ({
    title: 'TMDb',
    right: { 'TMDb API key': TMDB_KEY },
    wrong: [{ field: 'TMDb API key', value: 'wrong', says: /refuses the key.*Copy it again/ }],
  }),
};

const SHARE = ['WebDAV password', 'WebDAV user'];
const LOGIN = ['NZBGet password', 'NZBGet user'];
const REFUSED_SHARE = /refused the user or password/;

const elsewhere = (apiUrl: string): Wrong => ({
  field: 'WebDAV address',
  value: NOWHERE,
  says: /is not at 127\.0\.0\.1:9, but it answers at/,
  button: `Use ${apiUrl}`,
});
