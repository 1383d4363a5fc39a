import * as v from 'valibot';
import { clock } from '../clock.ts';
import type { KodiDialogs } from './dialogs.ts';
import type { Peer } from './peer.ts';
import { ask } from './properties.ts';
import type { StartMessage } from './start.ts';

/** Kodi's ids of "Resume from {0:s}" and "Play from beginning". */
const WORDS = { resume: 12022, start: 12021 } as const;
const Words = v.tuple([v.string(), v.string()]);

/** Only a plugin:// call with a handle carries it, as its last argument (kodi21.md). */
export function resumeAsked({ entry, argv }: StartMessage): boolean | undefined {
  if (entry !== 'resolve') return undefined;
  const asked = /^resume:(true|false)$/.exec(argv[3] ?? '')?.[1];
  return asked === undefined ? undefined : asked === 'true';
}

/** Asks as Kodi does: in its words, by its context menu. */
export async function askResumeInKodi(
  peer: Peer,
  dialogs: KodiDialogs,
  position: number,
  signal: AbortSignal,
): Promise<'resume' | 'start' | undefined> {
  signal.throwIfAborted();
  const [resume, start] = await ask(peer, 'words', { ids: [WORDS.resume, WORDS.start] }, Words);
  const rows = [resume.replace(/\{[^}]*\}/, clock(position)), start];
  const chosen = await dialogs.menu(rows, signal);
  return chosen === undefined ? undefined : chosen === 0 ? 'resume' : 'start';
}
