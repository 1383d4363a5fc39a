import { SlipstreamError } from '../errors/index.ts';
import type { MediaRequest } from '../model/index.ts';
import { mediaRequest, type Parameters } from './parameters.ts';

/** What the add-on was started for. */
export type Entry =
  | { readonly kind: 'play'; readonly request: MediaRequest }
  | { readonly kind: 'direct-play'; readonly url: string; readonly title: string };

/** Where the answer goes: into the resolve that the media centre waits for, or into the player. */
export type Answer = 'resolve' | 'player';

const BASE = 'plugin://plugin.video.slipstream';
/** The script's first argument; the rest are key=value (contract, "Entry points"). */
const SCRIPT_VERB = 'meta_play';

/**
 * Reads a plugin:// call: argv is [base url, handle, "?query", "resume:…"].
 * @throws INVALID_REQUEST for an unknown route or useless parameters.
 */
export function parsePluginEntry(argv: readonly string[]): Entry {
  const [base = '', , query = ''] = argv;
  // URLSearchParams reads "+" as a space and decodes once, as Kodi's own add-ons do.
  const parameters = present(new URLSearchParams(query.replace(/^\?/, '')));
  const route = base.startsWith(BASE) ? base.slice(BASE.length).replace(/\/+$/, '') : '';
  switch (route) {
    case '/play':
      return { kind: 'play', request: mediaRequest(parameters) };
    case '/direct_play':
      return directPlay(parameters);
    default:
      throw new SlipstreamError(
        'INVALID_REQUEST',
        {
          what: 'Slipstream has nothing to show here.',
          next: 'Choose a film or an episode in TMDbHelper and play it with Slipstream.',
        },
        { detail: `no route ${JSON.stringify(route)}` },
      );
  }
}

/**
 * Reads a RunScript call: argv is [script, "meta_play", "key=value", …]; values arrive percent-encoded and are
 * decoded exactly once (kodi21.md). @throws INVALID_REQUEST
 */
export function parseScriptEntry(argv: readonly string[]): Entry {
  const [, verb, ...pairs] = argv;
  if (verb !== SCRIPT_VERB) {
    throw new SlipstreamError(
      'INVALID_REQUEST',
      { what: 'Slipstream was started without a title.', next: 'Choose a film or an episode in TMDbHelper.' },
      { detail: `verb ${JSON.stringify(verb ?? '')}` },
    );
  }
  const split = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return at < 0 ? [pair, ''] : [pair.slice(0, at), decodeOnce(pair.slice(at + 1))];
  });
  return { kind: 'play', request: mediaRequest(present(split)) };
}

function directPlay(parameters: Parameters): Entry {
  const url = parameters.get('url') ?? '';
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new SlipstreamError('INVALID_REQUEST', {
      what: 'This address cannot be played.',
      next: 'Only http:// and https:// addresses of media files can.',
    });
  }
  return { kind: 'direct-play', url, title: parameters.get('title') ?? lastSegment(parsed) };
}

function lastSegment(url: URL): string {
  const segment = decodeOnce(url.pathname.split('/').findLast((part) => part !== '') ?? '');
  return segment === '' ? url.hostname : segment;
}

/** First value per key; TMDbHelper writes "None" and "_" for what it does not know (protocols.md §9.3). */
function present(pairs: Iterable<[string, string]>): Parameters {
  const parameters = new Map<string, string>();
  for (const [key, raw] of pairs) {
    const value = raw.trim();
    if (!parameters.has(key) && value !== '' && value !== 'None' && value !== '_') parameters.set(key, value);
  }
  return parameters;
}

function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A lone "%" was never encoded: it stands for itself.
    return text;
  }
}
