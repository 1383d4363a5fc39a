import type { Backend } from '../backends/backend.ts';
import { openLedger } from '../backends/ledger.ts';
import { directVia } from '../connections/backends.ts';
import type { Host, PlayItem, Progress, Recall } from '../host/port.ts';
import { lastPlayed, resumeKey } from '../library/index.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest, Release } from '../model/index.ts';
import {
  orDiscard,
  type PendingStream,
  playingOf,
  type ResolveContext,
  relister,
  type StreamOrigin,
} from '../resolver.ts';
import type { Router } from '../router.ts';
import { parseSettings, SETTING_IDS, type Settings } from '../settings/index.ts';
import { fileNameOf, type PlayEntry } from './entry.ts';
import { fetchQuestion } from './fetch-question.ts';
import { rememberPlayed } from './played.ts';
import type { SelectContext, Selection } from './select.ts';
import type { Shelf } from './shelf.ts';
import { startingPoint } from './starting-point.ts';

export interface PlayContext {
  readonly host: Host;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Added to the person's time limit: after that a job in the ledger belongs to nobody. */
const LEDGER_GRACE_MS = 10 * 60_000;

/** What to play, and what becomes of its job when it is handed over or not. */
export interface PendingPlay extends Pick<PendingStream, 'commit' | 'discard'> {
  readonly item: PlayItem;
}

/** Entry → what to play: the whole pipeline, with its progress shown. The progress is closed on every path. */
export async function playEntry(
  entry: PlayEntry,
  host: Host,
  log: Logger,
  stages: Router,
): Promise<PendingPlay> {
  const title = entry.kind === 'play' ? stages.displayTitle(entry.request) : entry.title;
  const progress = await host.openProgress(title);
  try {
    const signal = AbortSignal.any([host.aborted, progress.cancelled]);
    const context = { host, progress, signal, log };
    const { pending, ...about } =
      entry.kind === 'play'
        ? await playRequest(entry.request, context, stages)
        : { pending: await playDirect(entry.url, context, stages) };
    const { stream, commit, discard } = pending;
    return await orDiscard(pending, async () => {
      await progress.close();
      // A Back during the last steps still counts.
      signal.throwIfAborted();
      return { item: { stream, title, ...about }, commit, discard };
    });
  } finally {
    await progress.close();
  }
}

type PlayedRequest = Pick<PlayItem, 'request' | 'given' | 'startAt' | 'mark'> & {
  readonly pending: PendingStream;
};

async function playRequest(
  given: MediaRequest,
  context: PlayContext,
  stages: Router,
): Promise<PlayedRequest> {
  const { host } = context;
  const settings = parseSettings(await host.readSettings(SETTING_IDS));
  const folder = host.dataFolder;
  const backend = await stages.playbackBackend(settings, { files: host.files, folder, log: context.log });
  const shelf = await stages.openShelf(given, backend, { ...context, folder });
  try {
    const recalled = await host.recalled();
    const isAsked = (await host.startedBy()) === 'person';
    const again = recalled?.release;
    const selection = await selectFor(given, isAsked, { ...context, settings, shelf, again }, stages);
    try {
      const about = { given, isAsked, recalled, settings, backend, shelf };
      return await playSelection(selection, { ...context, ...about }, stages);
    } finally {
      await selection.close();
    }
  } finally {
    shelf.close();
  }
}

/** A person is asked, unless they would not be; neither a playlist nor the service ever asks. */
async function selectFor(
  request: MediaRequest,
  isAsked: boolean,
  context: Omit<SelectContext, 'automatic' | 'after'>,
  stages: Router,
): Promise<Selection> {
  const { host, log, settings } = context;
  if (isAsked && !settings.auto_select)
    return await stages.select(request, { ...context, automatic: false }, stages);
  const after = isAsked ? undefined : await lastPlayed({ folder: host.dataFolder, log }).of(request);
  return await stages.selectUnasked(request, { ...context, automatic: true, after }, stages);
}

interface SelectionContext extends PlayContext {
  /** Without what was looked up. */
  readonly given: MediaRequest;
  /** The person started it, and may be asked. */
  readonly isAsked: boolean;
  readonly recalled: Recall | undefined;
  readonly settings: Settings;
  readonly backend: Backend;
  readonly shelf: Shelf;
}

async function playSelection(
  selection: Selection,
  context: SelectionContext,
  stages: Router,
): Promise<PlayedRequest> {
  const { host, progress, signal, log, settings, backend, shelf, given, isAsked, recalled } = context;
  const { request } = selection;
  const folder = host.dataFolder;
  // What is looked up may fail the next time, and what the caller gives may be told otherwise then.
  const keyOf = (release: Release) => resumeKey(release, given, request);
  const key = keyOf(selection.chosen);
  const startAt = isAsked ? await startingPoint(key, host, { signal, log }) : undefined;
  const timeout = settings.download_timeout * 1000;
  const failed: ResolveContext['failed'] = async (what, failure) => {
    if (failure.stale) await selection.forget();
    await shelf.broken.failed(what, failure);
  };
  const resolving = {
    ...{ backend, progress, signal, log, timeout },
    directVia: directVia(settings),
    relist: relister({ settings: () => settings, dataFolder: folder, log }),
    ledger: openLedger(folder, timeout + LEDGER_GRACE_MS),
    properties: host.properties,
    attempts: settings.max_attempts,
    prove: () => shelf.prove(),
    ...(isAsked && { mayFetchItself: fetchQuestion(backend, host, signal) }),
    failed,
    twins: (of: Release) => selection.twins(of).slice(0, settings.nzbget_backups),
    plan: (playing?: StreamOrigin) => ({
      ...{ request, backend: backend.identity },
      ...(playing !== undefined && { playing: playingOf(playing) }),
      ...(selection.unsearched === true && { unsearched: true as const }),
      releases: settings.replace_lost ? selection.upcoming().slice(0, settings.replace_attempts) : [],
    }),
  };
  const pending = await stages.resolver.resolveFirst(selection, request, resolving, stages.resolver);
  const { from } = pending;
  const commit = async () => {
    await pending.commit();
    if (from === undefined) return;
    await shelf.broken.played(from.release);
    await rememberPlayed(given, from, { backend: backend.identity, folder, log });
  };
  return {
    ...{ request, given },
    pending: { ...pending, commit },
    ...(from !== undefined && { mark: JSON.stringify(keyOf(from.release)) }),
    ...(startAt !== undefined && {
      startAt: from?.release === selection.chosen ? startAt.chosen : startAt.another,
    }),
    // The service knows that, and would rather go on nearby.
    ...(recalled !== undefined && { startAt: recalled.position }),
  };
}

async function playDirect(url: string, context: PlayContext, stages: Router): Promise<PendingStream> {
  const { host, progress, signal, log } = context;
  const name = fileNameOf(new URL(url)) || 'stream';
  return await stages.resolver.resolveDirect(
    { via: 'proxy', url, headers: {}, name },
    { properties: host.properties, progress, signal, log },
    stages.resolver,
  );
}
