import { packKey } from '../library/index.ts';
import type { Release } from '../model/index.ts';
import type { Choice, Choices, FoundChoice, PackChoice } from '../resolver.ts';
import type { CandidateList } from './candidate-list.ts';
import type { Inventory } from './inventory.ts';
import type { SelectContext, Selection } from './selection.ts';
import { type Fallbacks, fallbacksOf } from './successors.ts';
import { untilAnswered, untilFinished } from './wait.ts';

type ChoiceContext = Pick<SelectContext, 'inventory' | 'progress' | 'signal'>;

/** The chosen release, then its successors; when those are used up, what the sources still find. */
export class ListedChoices implements Choices, Pick<Selection, 'upcoming' | 'reposts'> {
  readonly #chosen: Release;
  readonly #list: CandidateList;
  readonly #context: ChoiceContext;
  readonly #successors: Fallbacks;
  #isFirst = true;

  constructor(chosen: Release, list: CandidateList, context: ChoiceContext) {
    const { broken } = context.inventory;
    this.#chosen = chosen;
    this.#list = list;
    this.#context = context;
    this.#successors = fallbacksOf(
      chosen,
      (release) => list.isSure(release),
      (release) => broken.failedAt(release) !== undefined,
    );
  }

  upcoming(): readonly Release[] {
    return this.#successors.remaining(this.#list.current.candidates).filter(isFromSearch);
  }

  reposts(of: Release): readonly Release[] {
    if (of !== this.#chosen) return [];
    return this.#successors.reposts(this.#list.current.candidates).filter(isFromSearch).filter(isNzb);
  }

  async next(): Promise<Choice | undefined> {
    const release = await this.#nextRelease();
    if (release === undefined) return undefined;
    return isFromSearch(release)
      ? await foundChoice(release, this.#context)
      : await packChoice(release, this.#context, { isBeforeSearch: false });
  }

  async #nextRelease(): Promise<Release | undefined> {
    if (this.#isFirst) {
      this.#isFirst = false;
      return this.#chosen;
    }
    const next = this.#successors.next(this.#list.current.candidates);
    if (next !== undefined) return next;
    const { progress, signal } = this.#context;
    await untilFinished(this.#list, progress, signal);
    const { candidates } = this.#list.current;
    return this.#successors.next(candidates) ?? this.#successors.nextFailed(candidates);
  }
}

/** Not remembered, but found by this search: it leads to something that can be had. */
const isFromSearch = (release: Release) => packKey(release) === undefined;
const isNzb = ({ links }: Release) => links.some(({ plays }) => plays !== true);

async function foundChoice(release: Release, context: ChoiceContext): Promise<FoundChoice> {
  const { existingJob } = await answeredInventory(context, release);
  return { kind: 'found', release, existingJob };
}

/** A remembered pack with the job that holds it. */
export async function packChoice(
  release: Release,
  context: ChoiceContext,
  { isBeforeSearch }: Pick<PackChoice, 'isBeforeSearch'>,
): Promise<PackChoice> {
  const { existingJob, inventory } = await answeredInventory(context, release);
  const forget = () => inventory.forgetPack(release);
  return { kind: 'remembered', release, existingJob, isBeforeSearch, forget };
}

/** The backend's answer is awaited: a download takes longer by far. */
async function answeredInventory(
  { inventory, progress, signal }: ChoiceContext,
  release: Release,
): Promise<{ readonly inventory: Inventory; readonly existingJob: PackChoice['existingJob'] }> {
  await untilAnswered(inventory, progress, signal);
  return { inventory, existingJob: inventory.existingJob(release) };
}
