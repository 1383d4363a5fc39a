import { SlipstreamError } from '../errors/index.ts';
import { chooseVideo } from '../job-files/choose-video.ts';
import type { MediaRequest, Quality, Release } from '../model/index.ts';
import { fileNameWithoutPassword, loadReleaseNameParser, plainWords } from '../release/index.ts';
import { mismatchOf } from '../search/match/match.ts';
import { withoutJobSuffix } from './job-name.ts';

/** What was asked for. */
interface RequestedRelease {
  /** As messages name whoever gave the stream. */
  readonly who: string;
  readonly release: Release;
  readonly request: MediaRequest;
  /** The name under which the release was submitted, if it was: what is called by it is no other one. */
  readonly jobName?: string;
}

/**
 * The release that a service has sent, as far as the file's own name tells: some send another one than was chosen when
 * that has failed, or when their list has moved (protocols.md §8.6, §8.11). Undefined: nothing tells of another one.
 * @throws WrongRelease when it is another one, and not what was asked for
 */
export async function findSubstitute(
  { who, release, request, jobName }: RequestedRelease,
  declaredName: string | undefined,
): Promise<Release | undefined> {
  if (declaredName === undefined || withoutJobSuffix(declaredName, jobName) !== undefined) return undefined;
  const fileName = fileNameWithoutPassword(declaredName);
  const parse = await loadReleaseNameParser();
  const [quality, chosen] = [parse(fileName), parse(release.name)];
  if (!isReleaseName(quality) || isSameRelease(quality, chosen, release.name)) return undefined;
  const name = fileName.replace(/\.[a-z\d]{2,4}$/i, '');
  // The chosen one was judged by more than its title.
  const alternativeTitles = [...(request.alternativeTitles ?? []), chosen.title].filter(
    (each) => each !== '',
  );
  const objection = mismatchOf({ name, quality }, { ...request, alternativeTitles });
  const isFound = chooseVideo([{ path: [fileName] }], request, name).kind === 'chosen';
  if (objection !== undefined || !isFound)
    throw new WrongRelease(who, `${name}: ${objection ?? 'no such video'}`);
  const { indexer, source, plays } = release.links[0];
  // No address of the chosen one belongs to it, and what it was posted as is not known.
  return {
    name,
    quality,
    links: [{ url: '', guid: name, indexer, source, ...(plays === true && { plays }) }],
  };
}

/** Files of a post are called by abbreviations, too: only a release's own name tells all of this. */
function isReleaseName({
  title,
  resolution,
  group,
  year,
  source,
  codec,
  seasons,
  episodes,
}: Quality): boolean {
  if (title === '' || resolution === undefined || group === undefined) return false;
  return (
    year !== undefined || source !== undefined || codec !== undefined || seasons.length + episodes.length > 0
  );
}

function isSameRelease(sent: Quality, chosen: Quality, chosenName: string): boolean {
  if (chosen.resolution !== undefined && sent.resolution !== chosen.resolution) return false;
  return chosen.group === undefined || isSameGroup(sent.group ?? '', chosen.group, chosenName);
}

/** A file's name may abbreviate its group, or have it from another part of the release's name. */
function isSameGroup(sent: string, chosen: string, chosenName: string): boolean {
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

/** What a service sent is another release than the chosen one, and cannot be played. */
export class WrongRelease extends SlipstreamError {
  constructor(who: string, detail: string) {
    const what = `${who} was asked for this release and sent another one.`;
    super('NO_VIDEO', { what, next: 'Try another release.' }, { detail });
  }
}

interface ReceivedRelease {
  readonly who: string;
  readonly received: Release;
  /** The chosen one. */
  readonly release: Release;
}

/** What is wrong with another release that was sent in the chosen one's place says nothing of that. @throws as `proving` */
export async function attributeFailure(
  proving: Promise<void>,
  { who, received: plays, release }: ReceivedRelease,
): Promise<void> {
  try {
    await proving;
  } catch (error) {
    const isDamaged = error instanceof SlipstreamError && error.code === 'DAMAGED';
    throw plays !== release && isDamaged ? new WrongRelease(who, `${plays.name}: ${error.message}`) : error;
  }
}
