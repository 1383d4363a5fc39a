import shipped from '../../../addon/resources/players/plugin.video.slipstream.json' with { type: 'json' };
import { hexHash } from '../../io/hash.ts';
import { ownValue } from '../../io/own-property.ts';
import type { Form } from './form.ts';
import { KNOWN_VERSIONS } from './known-versions.ts';

/** A player of TMDbHelper, as far as the forms differ (protocols.md §9.2). */
type Player = typeof shipped & { readonly make_playlist?: 'true' | 'upnext' };

const SCRIPT = /^executebuiltin:\/\/RunScript\(plugin\.video\.slipstream,meta_play,(.*)\)$/;

/** The add-on ships the script form; the other ones ask for the very same parameters. */
const RESOLVABLE: Player = {
  ...shipped,
  is_resolvable: 'true',
  play_movie: asPluginCall(shipped.play_movie),
  play_episode: asPluginCall(shipped.play_episode),
};

const PLAYERS: Readonly<Record<Form, Player>> = {
  script: shipped,
  resolvable: RESOLVABLE,
  'resolvable-upnext': { ...RESOLVABLE, make_playlist: 'upnext' },
  'resolvable-playlist': { ...RESOLVABLE, make_playlist: 'true' },
};

/** Commas separate a script's arguments, and so none is in them. */
function asPluginCall(action: string): string {
  const parameters = SCRIPT.exec(action)?.[1];
  if (parameters === undefined) throw new TypeError(`no script call: ${action}`);
  return `plugin://plugin.video.slipstream/play?${parameters.replaceAll(',', '&')}`;
}

/** The file's text. */
export const playerText = (form: Form): string => `${JSON.stringify(PLAYERS[form], undefined, 2)}\n`;

/** What a file's text is to us: one of ours as we gave it out, of this version or not; undefined: anything else. */
export function identifyPlayer(
  text: string,
): { readonly form: Form; readonly isCurrent: boolean } | undefined {
  const print = playerFingerprint(text);
  const form = print === undefined ? undefined : ownValue(KNOWN_VERSIONS, print);
  return form && { form, isCurrent: print === playerFingerprint(playerText(form)) };
}

/** Of what the file says, not of how it is laid out; undefined for what is no JSON. */
export function playerFingerprint(text: string): string | undefined {
  try {
    // A mark in front is what some editors leave.
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return hexHash(JSON.stringify(sorted(value)));
  } catch {
    return undefined;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)]);
}
