import type { YieldToLoop } from '../../io/wait.ts';
import { filterYielding, groupYielding } from '../../io/yielding-arrays.ts';
import { chooseVideo, type JobFile } from '../../job-files/choose-video.ts';
import { isExtra } from '../../job-files/extras.ts';
import type { MediaRequest, Release } from '../../model/index.ts';
import type { AssembledFile } from './assemble-files.ts';
import { postedKindOf, volumeOf } from './posted-names.ts';

/** What a post holds under one name: a video, or the volumes that one is in. */
interface FileSet {
  /** As a video in a finished job would be called and sized. */
  readonly video: JobFile;
  readonly files: readonly AssembledFile[];
}

/** What is to be played, and the release that it is played from. */
export interface WantedRelease {
  readonly request: MediaRequest;
  readonly release: Release;
}

/** What of a post the request needs, as far as names and sizes tell. */
interface Needed {
  /**
   * What is named as the film or the episode, and what makes up most of the post, be it all the files whose names say
   * nothing. Empty: nobody knows.
   */
  readonly files: readonly AssembledFile[];
  /** Those that hold the film, or the only episode, and nothing else that has a name. Empty: nobody knows, or it is a pack or a disc. */
  readonly exclusive: readonly AssembledFile[];
  /** Those that hold the wanted episode, of a release that may hold others. Empty: nobody knows, or it holds no others. */
  readonly packEpisode: readonly AssembledFile[];
}

/** A post of more videos than any pack of episodes has is none of which anybody knows what it holds. */
const MAX_VIDEOS = 1_000;

/** @throws as giveWay */
export async function neededFiles(
  files: readonly AssembledFile[],
  { request, release }: WantedRelease,
  giveWay: YieldToLoop,
): Promise<Needed> {
  const { sets, nameless } = await groupIntoSets(files, request, giveWay);
  const videos = sets.map(({ video }) => video);
  const isTooMany = videos.length > MAX_VIDEOS;
  const choice = isTooMany ? undefined : chooseVideo(videos, request, release.name);
  const named = choice?.kind === 'chosen' ? (sets[videos.indexOf(choice.file)]?.files ?? []) : [];
  // Of a pack nobody knows which of its files hold the episode when no name tells.
  if (isPack(request, release)) return { files: named, exclusive: [], packEpisode: named };
  await giveWay();
  const most = largestPart(files, [...sets.map((set) => set.files), nameless]);
  await giveWay();
  const isOneSet = named.length === 0 || named === most;
  const needed = isOneSet ? most : [...new Set([...named, ...most])];
  return { files: needed, exclusive: release.quality.disc ? [] : named, packEpisode: [] };
}

/** Files whose names say nothing: they may be anything, and are what obfuscated posts consist of. */
export const obfuscatedFiles = (
  files: readonly AssembledFile[],
  giveWay: YieldToLoop,
): Promise<AssembledFile[]> =>
  filterYielding(
    files,
    ({ declared: told }) => told.name === undefined || postedKindOf(told.name) === undefined,
    giveWay,
  );

async function groupIntoSets(files: readonly AssembledFile[], request: MediaRequest, giveWay: YieldToLoop) {
  const nameless = await obfuscatedFiles(files, giveWay);
  const sets: FileSet[] = [];
  for (const [set, members] of await groupYielding(files, setNameOf, giveWay)) {
    await giveWay();
    if (set === '') continue;
    const [first] = members;
    const name = first?.declared.name ?? '';
    const volume = volumeOf(name);
    if (volume?.isLoose === true && members.length < MIN_LOOSE_VOLUMES) nameless.push(...members);
    else sets.push({ video: asVideo(name, volume?.base, sizeOf(members)), files: members });
  }
  const isVideo = ({ video }: FileSet) =>
    !isExtra(video, request) && !SUBTITLES.test(video.path.at(-1) ?? '');
  return { nameless, sets: await filterYielding(sets, isVideo, giveWay) };
}

/** Fewer files whose names merely end in a number are no volumes. */
const MIN_LOOSE_VOLUMES = 3;
/** Subtitles come in archives of their own. */
const SUBTITLES = /[ ._-](?:vob)?subs?(?:pack)?\.\w{2,4}$/i;

/** Empty: not a part of any. */
function setNameOf({ declared: { name } }: AssembledFile): string {
  if (name === undefined) return '';
  const kind = postedKindOf(name);
  return kind === 'video' ? `video ${name}` : kind === 'volume' ? (volumeOf(name)?.set ?? '') : '';
}

/** What is in volumes is mostly called as they are. */
const asVideo = (name: string, base: string | undefined, size: number): JobFile => ({
  path: (base === undefined ? name : `${base}.mkv`).split(/[/\\]/),
  size,
});

function largestPart(
  all: readonly AssembledFile[],
  sets: readonly (readonly AssembledFile[])[],
): readonly AssembledFile[] {
  const half = sizeOf(all) / 2;
  return sets.find((set) => sizeOf(set) > half) ?? [];
}

export const sizeOf = (files: readonly AssembledFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether the release holds more than the episode, or does not say that it does not. */
const isPack = ({ kind }: MediaRequest, { quality }: Release) =>
  kind === 'episode' && quality.episodes.length !== 1 && quality.date === undefined;
