import type { MediaRequest } from '../model/index.ts';
import { plainWords } from '../release/index.ts';
import type { Feature } from './features.ts';
import { type FileChoice, largestChoice, noChoice, withoutClips } from './file-choice.ts';
import { groupedBy } from './files.ts';
import { areParts, isHalf } from './parts.ts';
import { filmMatcher, type TitleFit } from './titles.ts';

/** Of a series for sure; looser forms stand in films' titles ("The 4x4 Story"). */
const EPISODE = /(?<![a-z\d])s\d{1,2}[ ._-]?e\d{1,3}(?![a-z\d])/i;

/**
 * The film among a job's videos: the only long one; of several the one whose name fits its title and year, or is the
 * job's own.
 */
export function chooseFilm(
  features: readonly Feature[],
  request: MediaRequest,
  jobFolder: string,
): FileChoice {
  const films = features.filter(({ names: [name = ''] }) => !EPISODE.test(name));
  if (films.length === 0) return noChoice('episodes');
  const long = withoutClips(films);
  const fits = filmMatcher(request);
  const named = long.filter((feature) => isNamedAsJob(feature, jobFolder));
  const [only] = long;
  if (only !== undefined && long.length === 1) {
    if (isHalf(only)) return noChoice('in-parts');
    return named.length === 0 && isOtherFilm(fits(only.names[0] ?? ''))
      ? noChoice('other-film')
      : largestChoice(only);
  }
  const fitting = bestFitting(long, fits);
  if (fitting.length > 0) return areParts(fitting) ? noChoice('in-parts') : largestChoice(...fitting);
  if (areParts(long)) return noChoice('in-parts');
  const [whole] = named;
  return whole !== undefined && named.length === 1 && isLarge(whole, long)
    ? largestChoice(whole)
    : noChoice('ambiguous');
}

/** Below this part of the largest a video is not the film, though it is called as the job: AltMount calls samples so. */
const LARGE_SHARE = 0.5;
const isLarge = ({ file }: Feature, videos: readonly Feature[]) =>
  file.size === undefined || videos.every((each) => LARGE_SHARE * (each.file.size ?? 0) <= (file.size ?? 0));

/** Films of one series are told by their years; more than these between them are two films, whatever it is called abroad. */
const isOtherFilm = ({ isTitled: called, years = 0 }: TitleFit) => !called && years > 2;

/** Those that are called so, and of the film's very year if any is. */
function bestFitting(features: readonly Feature[], fits: (name: string) => TitleFit): Feature[] {
  const held = groupedBy(
    features.flatMap(({ names }) => names.map((_, at) => names.slice(at).join('/'))),
    (folder) => folder,
  );
  const fitting = features.flatMap((feature) => {
    // A folder speaks for a film only when it holds no other: "Caminandes (2013-2016)" holds three.
    const own = feature.names.filter(
      (_, at) => at === 0 || held.get(feature.names.slice(at).join('/'))?.length === 1,
    );
    const good = own.map(fits).filter(({ isTitled: called, years = 1 }) => called && years <= 1);
    return good.length === 0 ? [] : [{ feature, years: Math.min(...good.map(({ years = 1 }) => years)) }];
  });
  const nearest = Math.min(...fitting.map(({ years }) => years));
  return fitting.filter(({ years }) => years === nearest).map(({ feature }) => feature);
}

/** The scene calls a release's file as the release. */
function isNamedAsJob({ names: [name = ''] }: Feature, jobFolder: string): boolean {
  const words = plainWords(name);
  return words !== '' && ` ${plainWords(jobFolder)} `.startsWith(` ${words} `);
}
