import type { YieldToLoop } from '../../io/wait.ts';
import type { Release } from '../../model/index.ts';
import type { Nzb } from '../backend.ts';
import { type AssembledFile, assembleFiles } from './assemble-files.ts';
import type { Meta, NzbContent } from './content.ts';
import { neededFiles, sizeOf, type WantedRelease } from './needed-files.ts';
import { withoutSamples } from './samples.ts';
import { type Shortfall, shortfallOf } from './shortfall.ts';
import { writeNzb } from './write.ts';

/**
 * The NZB for a server that streams: it reads the segments as they stand there, one after the other, and knows nothing of
 * one that lacks (protocols.md §2.5). So what the request needs has to be there, each article once and in order. Samples
 * and proofs are left out. A password that came with the release's name is written into the document.
 * @throws as giveWay
 */
export async function streamableNzb(
  { metas, files }: NzbContent,
  wanted: WantedRelease,
  giveWay: YieldToLoop,
): Promise<Nzb | Shortfall> {
  const { release } = wanted;
  const whole = await assembleFiles(files, giveWay);
  const { files: needed, exclusive: own, packEpisode: ofPack } = await neededFiles(whole, wanted, giveWay);
  const shortfall = await shortfallOf(needed, whole, giveWay);
  if (shortfall !== undefined) return shortfall;
  const articleBytes = articleBytesOf(needed.length > 0 ? needed : whole);
  const handed = await withoutSamples(whole, wanted, giveWay);
  return {
    bytes: await writeNzb({ metas: withPassword(metas, release), files: handed }, giveWay),
    release,
    fileCount: handed.length,
    segmentCount: handed.reduce((sum, { segments }) => sum + segments.length, 0),
    ...(articleBytes > 0 && { articleBytes }),
    ...(own.length > 0 && { videoBytes: Math.floor(sizeOf(own) / YENC_OVERHEAD) }),
    ...(ofPack.length > 0 && { episodeFiles: ofPack.flatMap(({ declared: { name } }) => name ?? []) }),
  };
}

/** All servers read an archive's password in the document's head (protocols.md §1.4, §2.10); one that is there stays. */
const withPassword = (metas: readonly Meta[], { password }: Release): readonly Meta[] =>
  password === undefined || metas.some(({ type }) => type.toLowerCase() === 'password')
    ? metas
    : [...metas, { type: 'password', text: password }];

/** Articles are so much larger than what is in them; where a posting program wrote the size of that, it is the larger one. */
const YENC_OVERHEAD = 1.035;

/** Of the largest file, whose articles all but the last are of one size. */
const articleBytesOf = (files: readonly AssembledFile[]): number =>
  files.reduce<AssembledFile | undefined>(
    (most, file) => (most && most.bytes >= file.bytes ? most : file),
    undefined,
  )?.usualBytes ?? 0;
