import type { YieldToLoop } from '../../io/wait.ts';
import { filterYielding } from '../../io/yielding-arrays.ts';
import { isSample } from '../../job-files/extras.ts';
import type { AssembledFile } from './assemble-files.ts';
import { sizeOf, type WantedRelease } from './needed-files.ts';
import { postedKindOf } from './posted-names.ts';

/**
 * The files of a post without those that are samples or proofs by name: AltMount calls a sample as the job and leaves the
 * film out, or plays it in the film's place (protocols.md §2.10). Where no video would be left, or less than half of the post,
 * they are none, nor is anything of a release whose name holds the word.
 * @throws as giveWay
 */
export async function withoutSamples(
  files: readonly AssembledFile[],
  { request, release }: WantedRelease,
  giveWay: YieldToLoop,
): Promise<readonly AssembledFile[]> {
  const wanted = { ...request, alternativeTitles: [...(request.alternativeTitles ?? []), release.name] };
  const isKept = ({ declared: { name = '' } }: AssembledFile) =>
    !isSample({ path: name.split(/[/\\]/) }, wanted);
  const kept = await filterYielding(files, isKept, giveWay);
  return kept.some(mayHoldVideo) && sizeOf(kept) * 2 > sizeOf(files) ? kept : files;
}

const mayHoldVideo = ({ declared: { name } }: AssembledFile) =>
  name === undefined || postedKindOf(name) !== 'side';
