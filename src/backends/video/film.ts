import type { MediaRequest } from '../../model/index.ts';
import { plainWords } from '../../release/index.ts';
import { type Choice, chosen, dominant, none } from './choice.ts';
import type { Feature } from './features.ts';
import { groupedBy } from './files.ts';
import { areParts, isHalf } from './parts.ts';
import { filmFitter } from './titles.ts';

/** Of a series for sure; looser forms stand in films' titles ("The 4x4 Story"). */
const EPISODE = /(?<![a-z\d])s\d{1,2}[ ._-]?e\d{1,3}(?![a-z\d])/i;

/**
 * The film among a job's videos: the only long one; of several the one whose name fits its title and year, or is the
 * job's own.
 */
export function chooseFilm(features: readonly Feature[], request: MediaRequest, jobFolder: string): Choice {
  const films = features.filter(({ names: [name = ''] }) => !EPISODE.test(name));
  if (films.length === 0) return none('episodes');
  const long = dominant(films);
  const [only] = long;
  if (only !== undefined && long.length === 1) return isHalf(only) ? none('in-parts') : chosen(only);
  const fitting = bestFitting(long, request);
  if (fitting.length > 0) return areParts(fitting) ? none('in-parts') : chosen(...fitting);
  if (areParts(long)) return none('in-parts');
  const named = long.filter((feature) => isNamedAsJob(feature, jobFolder));
  return named.length === 1 ? chosen(...named) : none('ambiguous');
}

function bestFitting(features: readonly Feature[], request: MediaRequest): Feature[] {
  const fits = filmFitter(request);
  const held = groupedBy(
    features.flatMap(({ names }) => names.map((_, at) => names.slice(at).join('/'))),
    (folder) => folder,
  );
  const rated = features.map((feature) => {
    // A folder speaks for a film only when it holds no other: "Caminandes (2013-2016)" holds three.
    const own = feature.names.filter(
      (_, at) => at === 0 || held.get(feature.names.slice(at).join('/'))?.length === 1,
    );
    return { feature, fit: Math.max(0, ...own.map(fits)) };
  });
  const best = Math.max(...rated.map(({ fit }) => fit));
  return best === 0 ? [] : rated.filter(({ fit }) => fit === best).map(({ feature }) => feature);
}

/** The scene calls a release's file as the release. */
function isNamedAsJob({ names: [name = ''] }: Feature, jobFolder: string): boolean {
  const words = plainWords(name);
  return words !== '' && ` ${plainWords(jobFolder)} `.startsWith(` ${words} `);
}
