import * as v from 'valibot';
import type { ResumeOffer } from '../port.ts';
import { resumeTimeText } from '../time-text.ts';
import type { KodiDialogs } from './dialogs.ts';
import type { BridgePeer } from './peer.ts';
import { readPlaylistState } from './playlist.ts';
import { callChecked } from './properties.ts';
import type { StartMessage } from './start.ts';

/** Kodi's ids of "Resume from {0:s}" and "Play from beginning". */
const LABEL_IDS = { resume: 12022, start: 12021 } as const;
const Strings = v.tuple([v.string(), v.string()]);

/** A number above 0 for a row of which Kodi knows where it was left. */
const PERCENT_PLAYED = 'ListItem.PercentPlayed';
const Labels = v.object({ [PERCENT_PLAYED]: v.string() });

/**
 * Only a plugin:// call with a handle carries it, as its last argument (kodi.md §3.2). "false" may also mean that Kodi
 * had nothing to ask: it asks for rows alone of which it knows where they were left. A row is played by Kodi's playlist;
 * what an add-on plays by itself is not, though such a row may have the focus meanwhile. @throws HOST_FAILED
 */
export async function readResumeAnswer(
  peer: BridgePeer,
  { entry, argv }: StartMessage,
): Promise<boolean | undefined> {
  const asked = entry === 'resolve' ? /^resume:(true|false)$/.exec(argv[3] ?? '')?.[1] : undefined;
  if (asked !== 'false') return asked === undefined ? undefined : true;
  const [{ [PERCENT_PLAYED]: played }, { position }] = await Promise.all([
    callChecked(peer, 'labels.get', { names: [PERCENT_PLAYED] }, Labels),
    readPlaylistState(peer),
  ]);
  return position >= 0 && Number(played) > 0 ? false : undefined;
}

/** Asks as Kodi does: in its words, by its context menu. */
export async function askResumeInKodi(
  peer: BridgePeer,
  dialogs: KodiDialogs,
  { position, isExact }: ResumeOffer,
  signal: AbortSignal,
): Promise<'resume' | 'start' | undefined> {
  signal.throwIfAborted();
  const [resume, start] = await callChecked(
    peer,
    'strings.get',
    { ids: [LABEL_IDS.resume, LABEL_IDS.start] },
    Strings,
  );
  const rows = [resume.replace(/\{[^}]*\}/, resumeTimeText({ position, isExact })), start];
  const chosen = await dialogs.menu(rows, signal);
  return chosen === undefined ? undefined : chosen === 0 ? 'resume' : 'start';
}
