import { filterInTurns, groupInTurns } from '../../io/turns.ts';
import type { GiveWay } from '../../io/wait.ts';
import { chooseVideo, type JobFile } from '../../job-files/choose-video.ts';
import { isExtra } from '../../job-files/extras.ts';
import type { MediaRequest, Release } from '../../model/index.ts';
import type { WholeFile } from './files.ts';
import { kindOf, volumeOf } from './names.ts';

/** What a post holds under one name: a video, or the volumes that one is in. */
interface FileSet {
  /** As a video in a finished job would be called and sized. */
  readonly video: JobFile;
  readonly files: readonly WholeFile[];
}

/** What is to be played, and the release that it is played from. */
export interface Wanted {
  readonly request: MediaRequest;
  readonly release: Release;
}

/** What of a post the request needs, as far as names and sizes tell. */
interface Needed {
  /**
   * What is named as the film or the episode, and what makes up most of the post, be it all the files whose names say
   * nothing. Empty: nobody knows.
   */
  readonly files: readonly WholeFile[];
  /** Those that hold the film, or the only episode, and nothing else that has a name. Empty: nobody knows, or it is a pack or a disc. */
  readonly own: readonly WholeFile[];
  /** Those that hold the wanted episode, of a release that may hold others. Empty: nobody knows, or it holds no others. */
  readonly ofPack: readonly WholeFile[];
}

/** A post of more videos than any pack of episodes has is none of which anybody knows what it holds. */
const MOST_VIDEOS = 1_000;

/** @throws as giveWay */
export async function neededFiles(
  files: readonly WholeFile[],
  { request, release }: Wanted,
  giveWay: GiveWay,
): Promise<Needed> {
  const { sets, nameless } = await sorted(files, request, giveWay);
  const videos = sets.map(({ video }) => video);
  const isTooMany = videos.length > MOST_VIDEOS;
  const choice = isTooMany ? undefined : chooseVideo(videos, request, release.name);
  const named = choice?.kind === 'chosen' ? (sets[videos.indexOf(choice.file)]?.files ?? []) : [];
  // Of a pack nobody knows which of its files hold the episode when no name tells.
  if (isPack(request, release)) return { files: named, own: [], ofPack: named };
  await giveWay();
  const most = mostOf(files, [...sets.map((set) => set.files), nameless]);
  await giveWay();
  const isOneSet = named.length === 0 || named === most;
  const needed = isOneSet ? most : [...new Set([...named, ...most])];
  return { files: needed, own: release.quality.disc ? [] : named, ofPack: [] };
}

/** Files whose names say nothing: they may be anything, and are what obfuscated posts consist of. */
export const namelessFiles = (files: readonly WholeFile[], giveWay: GiveWay): Promise<WholeFile[]> =>
  filterInTurns(files, ({ told }) => told.name === undefined || kindOf(told.name) === undefined, giveWay);

async function sorted(files: readonly WholeFile[], request: MediaRequest, giveWay: GiveWay) {
  const nameless = await namelessFiles(files, giveWay);
  const sets: FileSet[] = [];
  for (const [set, members] of await groupInTurns(files, setOf, giveWay)) {
    await giveWay();
    if (set === '') continue;
    const [first] = members;
    const name = first?.told.name ?? '';
    const volume = volumeOf(name);
    if (volume?.loose === true && members.length < FEWEST_LOOSE) nameless.push(...members);
    else sets.push({ video: asVideo(name, volume?.base, sizeOf(members)), files: members });
  }
  const isVideo = ({ video }: FileSet) =>
    !isExtra(video, request) && !SUBTITLES.test(video.path.at(-1) ?? '');
  return { nameless, sets: await filterInTurns(sets, isVideo, giveWay) };
}

/** Fewer files whose names merely end in a number are no volumes. */
const FEWEST_LOOSE = 3;
/** Subtitles come in archives of their own. */
const SUBTITLES = /[ ._-](?:vob)?subs?(?:pack)?\.\w{2,4}$/i;

/** Empty: not a part of any. */
function setOf({ told: { name } }: WholeFile): string {
  if (name === undefined) return '';
  const kind = kindOf(name);
  return kind === 'video' ? `video ${name}` : kind === 'volume' ? (volumeOf(name)?.set ?? '') : '';
}

/** What is in volumes is mostly called as they are. */
const asVideo = (name: string, base: string | undefined, size: number): JobFile => ({
  path: (base === undefined ? name : `${base}.mkv`).split(/[/\\]/),
  size,
});

function mostOf(all: readonly WholeFile[], sets: readonly (readonly WholeFile[])[]): readonly WholeFile[] {
  const half = sizeOf(all) / 2;
  return sets.find((set) => sizeOf(set) > half) ?? [];
}

export const sizeOf = (files: readonly WholeFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Whether the release holds more than the episode, or does not say that it does not. */
const isPack = ({ kind }: MediaRequest, { quality }: Release) =>
  kind === 'episode' && quality.episodes.length !== 1 && quality.date === undefined;
