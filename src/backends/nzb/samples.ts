import { filterInTurns } from '../../io/turns.ts';
import type { GiveWay } from '../../io/wait.ts';
import { isSample } from '../../job-files/extras.ts';
import type { WholeFile } from './files.ts';
import { kindOf } from './names.ts';
import { sizeOf, type Wanted } from './needed.ts';

/**
 * The files of a post without those that are samples or proofs by name: AltMount calls a sample as the job and leaves the
 * film out, or plays it in the film's place (protocols.md §2.10). Where no video would be left, or less than half of the post,
 * they are none, nor is anything of a release whose name holds the word.
 * @throws as giveWay
 */
export async function withoutSamples(
  files: readonly WholeFile[],
  { request, release }: Wanted,
  giveWay: GiveWay,
): Promise<readonly WholeFile[]> {
  const wanted = { ...request, alternativeTitles: [...(request.alternativeTitles ?? []), release.name] };
  const isKept = ({ told: { name = '' } }: WholeFile) => !isSample({ path: name.split(/[/\\]/) }, wanted);
  const kept = await filterInTurns(files, isKept, giveWay);
  return kept.some(mayHoldVideo) && sizeOf(kept) * 2 > sizeOf(files) ? kept : files;
}

const mayHoldVideo = ({ told: { name } }: WholeFile) => name === undefined || kindOf(name) !== 'side';
