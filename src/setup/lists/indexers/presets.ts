import type { SetupContext } from '../../action.ts';
import { withScheme } from '../../asking/address.ts';

/** An indexer that people know by its name. */
export interface Preset {
  readonly name: string;
  /** Of its API; what is missing at its end is added by whoever asks. */
  readonly url: string;
}

/** Public Newznab indexers by their API addresses, as they publish them; each wants an account of the person's. */
export const PRESETS: readonly Preset[] = [
  { name: 'abNZB', url: 'https://abnzb.com' },
  { name: 'altHUB', url: 'https://api.althub.co.za' },
  { name: 'AnimeTosho', url: 'https://feed.animetosho.org' },
  { name: 'DOGnzb', url: 'https://api.dognzb.cr' },
  { name: 'DrunkenSlug', url: 'https://drunkenslug.com' },
  { name: 'Miatrix', url: 'https://www.miatrix.com' },
  { name: 'NinjaCentral', url: 'https://ninjacentral.co.za' },
  { name: 'NZBFinder', url: 'https://nzbfinder.ws' },
  { name: 'NZBGeek', url: 'https://api.nzbgeek.info' },
  { name: 'nzb.life', url: 'https://api.nzb.life' },
  { name: 'NzbPlanet', url: 'https://api.nzbplanet.net' },
];

/** Whether an address is that of a known indexer. */
export const isPreset = (address: string): boolean => PRESETS.some(({ url }) => url === address);

const OTHER = 'other';

/**
 * Asks which indexer, with the focus on what fits everybody. One that is not listed has neither name nor address yet,
 * unless its address was typed: then its host is its name. Undefined: back.
 */
export async function askPreset({ host, signal }: SetupContext): Promise<Preset | 'other' | undefined> {
  const rows = [
    ...PRESETS.map(({ name, url }) => ({ id: name, label: name, detail: new URL(url).host })),
    { id: OTHER, label: 'Another one', detail: 'You enter its address.' },
  ];
  const question = { title: 'Which indexer?', rows, focused: OTHER, orAddress: true as const };
  const chosen = await host.questions.choose(question, signal);
  if (chosen === undefined || chosen === OTHER) return chosen;
  return PRESETS.find(({ name }) => name === chosen) ?? typedIndexer(chosen);
}

function typedIndexer(typed: string): Preset {
  const url = withScheme(typed);
  return { name: hostOf(url), url };
}

/** What an indexer is called that nobody has named; empty where its address is none. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
