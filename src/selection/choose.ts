import { CancelledError, SlipstreamError } from '../errors/index.ts';
import type { Picker, PickerView } from '../host/port.ts';
import { deadlineSignal, unlessAborted } from '../io/wait.ts';
import type { Candidate, MediaRequest, Release } from '../model/index.ts';
import { openReleaseIds } from '../search/index.ts';
import type { ChooseOptions, ListState, LiveList } from './choose-options.ts';
import { pickerRow } from './picker-row.ts';
import type { SelectionStages } from './stages.ts';

type ChooseStages = Pick<SelectionStages, 'displayTitle'>;

/**
 * The person's choice from the list, which stays up to date while it is open; or, when `automatic`, the best one once
 * the list has settled: one that has failed only when nothing else will come.
 * @throws ALL_FILTERED when nothing passed the filters and nobody is asked; CancelledError when the person goes back;
 *   what the list's `settled` rejects with.
 */
export async function choose(
  list: LiveList,
  request: MediaRequest,
  options: ChooseOptions,
  stages: ChooseStages,
): Promise<Release> {
  return options.automatic
    ? await chooseBest(list, options)
    : await askForChoice(list, request, options, stages);
}

async function chooseBest(
  list: LiveList,
  { signal, pickBest: bestOf = firstPassing, isWanted: wanted, failedAt }: ChooseOptions,
): Promise<Release> {
  const isSound = ({ release }: Candidate) => failedAt?.(release) === undefined;
  const best = () => bestOf(list.current.candidates.filter(isSound))?.release;
  await unlessAborted(list.settled, signal);
  if (wanted !== undefined) {
    const found = () =>
      list.current.candidates.find((each) => isSound(each) && wanted(each.release))?.release;
    if (found() === undefined) await waitForLateSources(list, signal);
    const release = found();
    if (release !== undefined) return release;
  }
  // Who has not answered yet may have what nobody else has.
  if (best() === undefined) await unlessAborted(list.finished, signal);
  const release = best() ?? bestOf(list.current.candidates)?.release;
  if (release === undefined) throw allFilteredError(list.current);
  return release;
}

/** Milliseconds for the sources that have not answered when one that has would do. */
const LATE_SOURCES_MS = 5_000;

async function waitForLateSources(list: LiveList, signal: AbortSignal): Promise<void> {
  const limit = deadlineSignal(signal, LATE_SOURCES_MS, () => new Error('it is not waited for any longer'));
  await unlessAborted(list.finished, limit.signal).catch(() => undefined);
  limit.done();
  signal.throwIfAborted();
}

async function askForChoice(
  list: LiveList,
  request: MediaRequest,
  options: ChooseOptions,
  stages: ChooseStages,
): Promise<Release> {
  const failed = new AbortController();
  list.settled.catch((error: unknown) => {
    failed.abort(error);
  });
  const ids = openReleaseIds();
  // Also what an earlier view showed: the choice may have been made before the latest one came up.
  const shown = new Map<string, Release>();
  const view = () => {
    const { current } = list;
    const rows = ids.of(current.candidates.map(({ release }) => release));
    for (const [release, id] of rows) shown.set(id, release);
    return pickerView(current, stages.displayTitle(request), request, rows, options);
  };
  const picker = await options.host.openPicker(view(), AbortSignal.any([options.signal, failed.signal]));
  const stop = list.onChange(() => {
    updatePicker(picker, view());
  });
  try {
    // What came while the list was opening.
    updatePicker(picker, view());
    const chosen = await picker.chosen;
    const release = chosen === undefined ? undefined : shown.get(chosen);
    if (release === undefined) throw new CancelledError('person');
    return release;
  } finally {
    stop();
    await picker.close();
  }
}

/** A list that cannot be brought up to date is still one to choose from. */
function updatePicker(picker: Picker, view: PickerView): void {
  picker.update(view).catch(() => undefined);
}

const firstPassing = (candidates: readonly Candidate[]) => candidates.find(passesFilters);
const passesFilters = ({ rejections }: Candidate) => rejections.length === 0;

function pickerView(
  list: ListState,
  title: string,
  { poster, fanart }: MediaRequest,
  ids: ReadonlyMap<Release, string>,
  { explain, downloaded, failedAt, leftAt }: ChooseOptions,
): PickerView {
  const now = Date.now();
  const { candidates, order, status, isSearching: searching } = list;
  return {
    title,
    summary: summary(list),
    order,
    status,
    searching,
    rows: candidates.map((candidate) =>
      pickerRow(candidate, {
        id: ids.get(candidate.release) ?? '',
        now,
        downloaded: downloaded?.(candidate.release) ?? false,
        failedAt: failedAt?.(candidate.release),
        leftAt: leftAt?.(candidate.release),
        ...(explain !== undefined && { explain }),
      }),
    ),
    ...(poster !== undefined && { poster }),
    ...(fanart !== undefined && { fanart }),
  };
}

function summary({ candidates, mismatchCount: others }: ListState): string {
  const count = candidates.filter(passesFilters).length;
  const all = candidates.length - others;
  const pass = count === 1 || all === 1 ? 'passes' : 'pass';
  return `${count} of ${all} ${all === 1 ? 'release' : 'releases'} ${pass} your filters`;
}

function allFilteredError({ candidates, mismatchCount: others }: ListState): SlipstreamError {
  const all = candidates.length - others;
  const reason = candidates[0]?.rejections[0];
  return new SlipstreamError('ALL_FILTERED', {
    what:
      all === 1
        ? 'The only release was rejected by your filters.'
        : `All ${all} releases were rejected by your filters.`,
    next:
      reason === undefined
        ? 'Loosen them in the settings of Slipstream (Quality, Limits).'
        : `The best one: ${reason}. Loosen that in the settings of Slipstream (Quality, Limits).`,
  });
}
