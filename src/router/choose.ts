import { CancelledError, SlipstreamError } from '../errors/index.ts';
import type { Detail, Host, Picker, PickerView } from '../host/port.ts';
import { deadlineSignal, unlessAborted } from '../io/wait.ts';
import type { Candidate, MediaRequest, Release } from '../model/index.ts';
import { episodeText } from '../release/index.ts';
import { rowIds } from '../search/index.ts';
import { pickerRow } from './rows.ts';

/** The ranked candidates as far as they are known, while sources may still answer. */
export interface LiveList {
  readonly current: ListState;
  /** Hears each change of `current`; call the result to hear no more. */
  onChange(listener: () => void): () => void;
  /** Nothing that matters will come any more. Rejects when the search has failed. */
  readonly settled: Promise<void>;
  /** Nothing at all will come any more. */
  readonly finished: Promise<void>;
}

export interface ListState {
  /** Ranked; those that passed the filters first, those that are something else last. */
  readonly candidates: readonly Candidate[];
  /** How many are something else than what was asked for. */
  readonly others: number;
  /** How they are ranked: "Resolution, then size". */
  readonly order: string;
  /** Who still answers, who failed and why. */
  readonly status: string;
  readonly searching: boolean;
}

export interface ChooseOptions {
  readonly host: Host;
  /** Take the best one without asking. */
  readonly automatic: boolean;
  /** The one that is taken without asking, whatever the filters say, if it is listed soon. */
  readonly wanted?: (release: Release) => boolean;
  /** The best one; the first that passed when absent. */
  readonly best?: (candidates: readonly Candidate[]) => Candidate | undefined;
  readonly signal: AbortSignal;
  /** Why a candidate stands where it does, for the details of its row. */
  readonly explain?: (candidate: Candidate) => readonly Detail[];
  /** Whether the backend has it already. */
  readonly downloaded?: (release: Release) => boolean;
  /** When it proved broken, in milliseconds since the epoch; undefined: it did not, or not lately. */
  readonly failedAt?: (release: Release) => number | undefined;
  /** Where the person left it, in seconds; undefined for all but what they watched last. */
  readonly leftAt?: (release: Release) => number | undefined;
}

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
): Promise<Release> {
  return options.automatic ? await takeBest(list, options) : await letChoose(list, request, options);
}

async function takeBest(
  list: LiveList,
  { signal, best: bestOf = first, wanted, failedAt }: ChooseOptions,
): Promise<Release> {
  const isSound = ({ release }: Candidate) => failedAt?.(release) === undefined;
  const best = () => bestOf(list.current.candidates.filter(isSound))?.release;
  await unlessAborted(list.settled, signal);
  if (wanted !== undefined) {
    const found = () =>
      list.current.candidates.find((each) => isSound(each) && wanted(each.release))?.release;
    if (found() === undefined) await finishedSoon(list, signal);
    const release = found();
    if (release !== undefined) return release;
  }
  // Who has not answered yet may have what nobody else has.
  if (best() === undefined) await unlessAborted(list.finished, signal);
  const release = best() ?? bestOf(list.current.candidates)?.release;
  if (release === undefined) throw allFiltered(list.current);
  return release;
}

/** Milliseconds for the sources that have not answered when one that has would do. */
const SOON = 5_000;

async function finishedSoon(list: LiveList, signal: AbortSignal): Promise<void> {
  const limit = deadlineSignal(signal, SOON, () => new Error('it is not waited for any longer'));
  await unlessAborted(list.finished, limit.signal).catch(() => undefined);
  limit.done();
  signal.throwIfAborted();
}

async function letChoose(list: LiveList, request: MediaRequest, options: ChooseOptions): Promise<Release> {
  const failed = new AbortController();
  list.settled.catch((error: unknown) => {
    failed.abort(error);
  });
  const ids = rowIds();
  // Also what an earlier view showed: the choice may have been made before the latest one came up.
  const shown = new Map<string, Release>();
  const view = () => {
    const { current } = list;
    const rows = ids.of(current.candidates.map(({ release }) => release));
    for (const [release, id] of rows) shown.set(id, release);
    return pickerView(current, request, rows, options);
  };
  const picker = await options.host.openPicker(view(), AbortSignal.any([options.signal, failed.signal]));
  const stop = list.onChange(() => {
    show(picker, view());
  });
  try {
    // What came while the list was opening.
    show(picker, view());
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
function show(picker: Picker, view: PickerView): void {
  picker.update(view).catch(() => undefined);
}

const first = (candidates: readonly Candidate[]) => candidates.find(passed);
const passed = ({ rejections }: Candidate) => rejections.length === 0;

function pickerView(
  list: ListState,
  request: MediaRequest,
  ids: ReadonlyMap<Release, string>,
  { explain, downloaded, failedAt, leftAt }: ChooseOptions,
): PickerView {
  const now = Date.now();
  const { candidates, order, status, searching } = list;
  return {
    title: displayTitle(request),
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
    ...(request.poster !== undefined && { poster: request.poster }),
    ...(request.fanart !== undefined && { fanart: request.fanart }),
  };
}

function summary({ candidates, others }: ListState): string {
  const count = candidates.filter(passed).length;
  const all = candidates.length - others;
  const pass = count === 1 || all === 1 ? 'passes' : 'pass';
  return `${count} of ${all} ${all === 1 ? 'release' : 'releases'} ${pass} your filters`;
}

/** "Sintel (2010)", "Caminandes S01E02 Gran Dillama". */
export function displayTitle({ title, year, episode }: MediaRequest): string {
  if (episode === undefined) return year === undefined ? title : `${title} (${year})`;
  return [title, episodeText(episode), episode.title].filter(Boolean).join(' ');
}

function allFiltered({ candidates, others }: ListState): SlipstreamError {
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
