import { join } from 'node:path';
import type { KodiOptions } from '../harness/index.ts';
import { openRows, selectRow } from '../rows.ts';
import { ADDON_ID, SINTEL, type Stage } from '../slipstream.ts';

/** One way in which a play ends. */
export interface End {
  readonly name: string;
  /** Settings of ours, and options of Kodi. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly kodi?: KodiOptions;
  /** Brings a play that far and ends it; gives the second of the last picture where its place is to be kept. */
  readonly act: (s: Stage) => Promise<number | undefined>;
  /** Calls that Kodi waited for, and with it answers; absent: one. */
  readonly answers?: number;
  /** Boxes that Kodi opens about it, and that are closed for it; absent: none. */
  readonly boxes?: number;
  /** Jobs that stay at the backend, because they were played; absent: none. */
  readonly jobs?: number;
  /** What is over beside the play; absent: nothing. */
  readonly over?: 'kodi' | 'service';
  /** It is among those that each run of the tests looks at. */
  readonly inTests?: true;
}

/** Beyond this second the place of a film is kept. */
export const PLACE = 300;

/** Rows of a list. Each is another address: Kodi plays the stream of one that has played, and calls nobody. */
export const ROWS = [
  `plugin://${ADDON_ID}/play?${SINTEL}`,
  `plugin://${ADDON_ID}/play?${SINTEL}&row=1`,
] as const;

/** As a person does, in a list: Kodi's playlist player plays it, and opens a box about what fails. */
export async function playSintel({ kodi }: Stage, row: (typeof ROWS)[number] = ROWS[0]): Promise<void> {
  await openRows(kodi);
  await selectRow(kodi, row);
}

/** Waits until something is the case. */
export const until = ({ kodi }: Stage, what: string, is: () => boolean | Promise<boolean>, ms?: number) =>
  kodi.until(what, async () => (await is()) || undefined, ms);

/** Waits until the player has come beyond that second. */
export const beyond = (s: Stage, seconds: number) =>
  until(
    s,
    `the time is beyond ${seconds} s`,
    async () => ((await s.kodi.player.position()) ?? 0) > seconds,
    60_000,
  );

/** Sintel plays, and its place is worth being kept. */
export async function plays(s: Stage): Promise<void> {
  await playSintel(s);
  await advances(s);
}

/** Moves what is about to play to the place. */
export async function advances(s: Stage): Promise<void> {
  await beyond(s, 1);
  await s.kodi.player.seek(PLACE);
  // The service looks each second where the film is.
  await beyond(s, PLACE + 2);
}

/** Whether a condition of Kodi's holds, such as `Player.Caching`. */
export async function isTrue({ kodi }: Stage, condition: string): Promise<boolean> {
  const answer = await kodi.rpc('XBMC.GetInfoBooleans', { booleans: [condition] });
  return (answer as Record<string, boolean>)[condition] === true;
}

/** Where the player stands; 0 where it plays nothing. */
export const place = async ({ kodi }: Stage) => (await kodi.player.position()) ?? 0;

/** Waits until nothing plays any more; gives the second of the last picture. */
export async function untilNothingPlays(s: Stage, ms = 60_000): Promise<number> {
  let last = 0;
  const isOver = async () => {
    const position = await s.kodi.player.position();
    last = Math.max(last, position ?? 0);
    return position === undefined;
  };
  await until(s, 'nothing plays', isOver, ms);
  return last;
}

/** Presses Back on the window of ours that is in front. */
export async function back(s: Stage): Promise<undefined> {
  await s.windowIsUp();
  await s.kodi.rpc('Input.Back');
}

/** Waits until that was asked of the sandbox. */
export const asked = (
  s: Stage,
  what: string,
  is: (request: Stage['sandbox']['requests'][number]) => boolean,
) => until(s, `it has come to ${what}`, () => s.sandbox.requests.some(is));

/** Our data folder in Kodi's first profile. */
export const dataFolder = ({ kodi }: Stage) =>
  join(kodi.profile.folder, '.kodi/userdata/addon_data', ADDON_ID);
