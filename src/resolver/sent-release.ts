import { chooseVideo } from '../backends/video/choose-video.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { MediaRequest, Quality, Release } from '../model/index.ts';
import { loadReleaseNameParser, plainWords } from '../release/index.ts';
import { objectionTo } from '../search/match.ts';

/** What was asked for. */
interface Asked {
  /** As messages name whoever gave the stream. */
  readonly who: string;
  readonly release: Release;
  readonly request: MediaRequest;
}

/**
 * The release that a service has sent, as far as the file's own name tells: some send another one than was chosen when
 * that has failed, or when their list has moved (protocols.md §8.6, §8.11). Undefined: nothing tells of another one.
 * @throws NO_VIDEO when it is another one, and not what was asked for
 */
export async function sentInstead(
  { who, release, request }: Asked,
  fileName: string | undefined,
): Promise<Release | undefined> {
  if (fileName === undefined) return undefined;
  const parse = await loadReleaseNameParser();
  const [quality, chosen] = [parse(fileName), parse(release.name)];
  if (!isWhole(quality) || isAlike(quality, chosen, release.name)) return undefined;
  const name = fileName.replace(/\.[a-z\d]{2,4}$/i, '');
  // The chosen one was judged by more than its title.
  const alternativeTitles = [...(request.alternativeTitles ?? []), chosen.title].filter(
    (each) => each !== '',
  );
  const objection = objectionTo({ name, quality }, { ...request, alternativeTitles });
  const isFound = chooseVideo([{ path: [fileName] }], request, name).kind === 'chosen';
  if (objection !== undefined || !isFound) throw sentAnother(who, `${name}: ${objection ?? 'no such video'}`);
  const { indexer, source, plays = true } = release.links[0];
  // No address of the chosen one belongs to it, and what it was posted as is not known.
  return { name, quality, links: [{ url: '', guid: name, indexer, source, plays }] };
}

/** Files of a post are called by abbreviations, too: only a release's own name tells all of this. */
function isWhole({ title, resolution, group, year, source, codec, seasons, episodes }: Quality): boolean {
  if (title === '' || resolution === undefined || group === undefined) return false;
  return (
    year !== undefined || source !== undefined || codec !== undefined || seasons.length + episodes.length > 0
  );
}

function isAlike(sent: Quality, chosen: Quality, chosenName: string): boolean {
  if (chosen.resolution !== undefined && sent.resolution !== chosen.resolution) return false;
  return chosen.group === undefined || isGroup(sent.group ?? '', chosen.group, chosenName);
}

/** A file's name may abbreviate its group, or have it from another part of the release's name. */
function isGroup(sent: string, chosen: string, chosenName: string): boolean {
  const [short, long] = [letters(sent), letters(chosen)];
  return (
    isAbbreviated(short, long) ||
    isAbbreviated(long, short) ||
    ` ${plainWords(chosenName)} `.includes(` ${plainWords(sent)} `)
  );
}

/** "drn" of "durian": the same first letter, and all others in their order. */
function isAbbreviated(short: string, long: string): boolean {
  if (short === '' || !long.startsWith(short.charAt(0))) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');

const sentAnother = (who: string, detail: string) =>
  new SlipstreamError(
    'NO_VIDEO',
    { what: `${who} was asked for this release and sent another one.`, next: 'Try another release.' },
    { detail },
  );
