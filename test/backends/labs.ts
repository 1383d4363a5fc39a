import {
  BIG_BUCK_BUNNY,
  CATALOGUE,
  type CatalogueRelease,
  type Faults,
  type RecordedRequest,
  type TransportFault,
} from '../../sandbox/index.ts';
import { nzbOf } from '../../sandbox/indexer/nzb.ts';
import type { Nzb } from '../../src/backends/backend.ts';
import { type MediaRequest, UNKNOWN_QUALITY } from '../../src/model/index.ts';
import type { JobFate, Misbehaviour } from '../contracts/backend.ts';
import type { Status } from '../contracts/backend-faults.ts';

/** What the labs of the backends have in common: what is asked for, what is submitted, what goes wrong on the wire. */
export const FILM: MediaRequest = {
  kind: 'movie',
  title: BIG_BUCK_BUNNY.title,
  year: BIG_BUCK_BUNNY.year,
  ids: { imdb: BIG_BUCK_BUNNY.imdb },
};
export const EPISODE: MediaRequest = {
  kind: 'episode',
  title: 'Caminandes',
  ids: {},
  episode: { season: 1, episode: 2 },
};

export function released(name: string): CatalogueRelease {
  const release = CATALOGUE.find((each) => each.name === name);
  if (release === undefined) throw new Error(`not in the catalogue: ${name}`);
  return release;
}

export const FILM_RELEASE = released('Big.Buck.Bunny.2008.480p.DVDRip.x264-MEADOW');
export const PACK_RELEASE = released('Caminandes.S01.1080p.WEB-DL.x264-PACKED');
/** The file of EPISODE in it. */
export const PACK_FILE = 'Caminandes.S01E02.Gran.Dillama.1080p.WEB-DL.x264-PACKED.mkv';

export function nzbFor(release: CatalogueRelease): Nzb {
  const { name, guid, size } = release;
  const link = { url: 'http://127.0.0.1:1/', guid, indexer: 'Sandbox', source: 'sandbox' };
  return {
    bytes: new Uint8Array(Buffer.from(nzbOf(release))),
    release: { name, links: [link], size, quality: { ...UNKNOWN_QUALITY, title: name } },
    fileCount: 3,
    segmentCount: 3,
  };
}

/** Hears each request to a service of the sandbox, and counts those that a fault has met. */
export function openWatch() {
  let listener: () => void = () => undefined;
  let hits = 0;
  const watch: TransportFault = {
    kind: 'hang',
    when: () => {
      listener();
      return false;
    },
  };
  return {
    /** The first of a service's faults. */
    watch,
    hits: () => hits,
    onRequest: (next: () => void) => {
      listener = next;
    },
    counted: (when: (request: RecordedRequest) => boolean) => (request: RecordedRequest) => {
      const isHit = when(request);
      if (isHit) hits++;
      return isHit;
    },
  };
}

export function transport(how: Misbehaviour | Status | 'stall'): TransportFault {
  if (typeof how === 'number') return { kind: 'status', status: how };
  if (how === 'stall') return { kind: 'cut', after: 10, how: 'hang' };
  if (how === 'unavailable') return { kind: 'status', status: 503, body: '<html>upstream is down</html>' };
  if (how === 'lost-by-reset') return { kind: 'answer-lost', how: 'reset' };
  if (how === 'lost-by-silence') return { kind: 'answer-lost', how: 'hang' };
  return { kind: how };
}

/**
 * The times of a lab's backend: patient, for a busy machine answers late, until something goes wrong by design; from then
 * on quick, so that a fault costs no test a second, until all is healed.
 */
export function paceOf<T extends object>(quick: T, calm: T) {
  const times: T = { ...calm };
  return {
    times,
    quicken: () => {
      Object.assign(times, quick);
    },
    calm: () => {
      Object.assign(times, calm);
    },
  };
}

/** What lies in the folder of a job of such a fate. */
export const FOLDERS = {
  empty: 'empty',
  'no-video': 'no-video',
  samples: 'sample-only',
  'no-folder': 'absent',
} as const;

/** What becomes of jobs that a server of the sandbox streams. */
export function applyFate(faults: Faults, fate: JobFate | 'fails-late'): void {
  const { size } = FILM_RELEASE;
  switch (fate) {
    case 'fails':
      faults.job = { kind: 'fails', message: 'Article with message-id 1@x was not found.' };
      break;
    case 'fails-late':
      faults.job = { kind: 'fails', message: 'Missing articles.', at: 99 };
      break;
    case 'stuck':
      faults.job = { kind: 'stuck', percent: 30 };
      break;
    case 'vanishes':
      faults.job = { kind: 'vanishes' };
      break;
    case 'damaged':
      faults.missing = { from: Math.floor(size * 0.4), to: Math.floor(size * 0.6) };
      break;
    default:
      faults.folder = FOLDERS[fate];
  }
}
