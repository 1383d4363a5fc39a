import { openLedger } from '../backends/ledger.ts';
import type { Host, PlayItem, Progress } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import type { MediaRequest } from '../model/index.ts';
import { orDiscard, type PendingStream } from '../resolver.ts';
import type { Router } from '../router.ts';
import { parseSettings, SETTING_IDS } from '../settings/index.ts';
import { fileNameOf, type PlayEntry } from './entry.ts';
import { findRelease } from './find-release.ts';

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
    const pending =
      entry.kind === 'play'
        ? await playRequest(entry.request, context, stages)
        : await playDirect(entry.url, context, stages);
    const { stream, commit, discard } = pending;
    const request = entry.kind === 'play' ? { request: entry.request } : {};
    return await orDiscard(pending, async () => {
      await progress.close();
      // A Back during the last steps still counts.
      signal.throwIfAborted();
      return { item: { stream, title, ...request }, commit, discard };
    });
  } finally {
    await progress.close();
  }
}

async function playRequest(
  request: MediaRequest,
  context: PlayContext,
  stages: Router,
): Promise<PendingStream> {
  const { host, progress, signal, log } = context;
  const settings = parseSettings(await host.readSettings(SETTING_IDS));
  const backend = stages.playbackBackend(settings, log);
  const release = await findRelease(request, settings, context, stages);
  const timeout = settings.download_timeout * 1000;
  return await stages.resolver.resolveRelease(
    release,
    request,
    {
      backend,
      ledger: openLedger(host.dataFolder, timeout + LEDGER_GRACE_MS),
      properties: host.properties,
      progress,
      signal,
      log,
      timeout,
    },
    stages.resolver,
  );
}

async function playDirect(url: string, context: PlayContext, stages: Router): Promise<PendingStream> {
  const { host, progress, signal } = context;
  const name = fileNameOf(new URL(url)) || 'stream';
  return await stages.resolver.resolveDirect(
    { via: 'proxy', url, headers: {}, name },
    { properties: host.properties, progress, signal },
    stages.resolver,
  );
}
