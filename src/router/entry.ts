import { SERVICES } from '../connections/services/index.ts';
import { SlipstreamError } from '../errors/index.ts';
import type { MediaRequest } from '../model/index.ts';
import { ACTIONS, type ActionRequest } from '../setup/action.ts';
import { MAX_TITLE, mediaRequest, type Parameters, shortened } from './parameters.ts';

/** What the add-on was started for. */
export type Entry =
  | { readonly kind: 'menu' }
  | { readonly kind: 'search' }
  | { readonly kind: 'action'; readonly request: ActionRequest }
  | { readonly kind: 'play'; readonly request: MediaRequest }
  | { readonly kind: 'direct-play'; readonly url: string; readonly title: string };

/** What can be played without asking. */
export type PlayEntry = Extract<Entry, { readonly kind: 'play' | 'direct-play' }>;

const BASE = 'plugin://plugin.video.slipstream';
/** The script's first argument, as our player's file for TMDbHelper has it; the rest are key=value. */
const SCRIPT_VERB = 'meta_play';
/** Longer addresses are played by nothing. */
const MAX_URL = 8192;
/** Of any longer value the rest is not even looked at; every limit above and in parameters.ts is far below. */
const MAX_VALUE = 65_536;
/** The same for a query as a whole. */
const MAX_QUERY = 4 * MAX_VALUE;
/** Of what was not understood, so much goes into the log. */
const MAX_QUOTE = 80;

/**
 * Reads a plugin:// call: argv is [base url, handle, "?query", "resume:…"].
 * @throws INVALID_REQUEST for an unknown route or useless parameters.
 */
export function parsePluginEntry(argv: readonly string[]): Entry {
  const [base = '', , query = ''] = argv;
  // URLSearchParams drops the "?", reads "+" as a space and decodes once, as Kodi's own add-ons do.
  const parameters = presentParameters(new URLSearchParams(query.slice(0, MAX_QUERY)));
  const route = base === BASE || base.startsWith(`${BASE}/`) ? base.slice(BASE.length) : undefined;
  const path = route?.endsWith('/') === true ? route.slice(0, -1) : route;
  const action = path === undefined ? undefined : actionOf(path, parameters);
  if (action !== undefined) return { kind: 'action', request: action };
  switch (path) {
    case '':
      return { kind: 'menu' };
    case '/search':
      return { kind: 'search' };
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
        { detail: `no route ${quoted(route ?? base)}` },
      );
  }
}

/**
 * Reads a RunScript call: argv is [script, "meta_play", "key=value", …]; values arrive percent-encoded and are
 * decoded exactly once (kodi.md §1.1). @throws INVALID_REQUEST
 */
export function parseScriptEntry(argv: readonly string[]): Entry {
  const [, verb, ...pairs] = argv;
  if (verb !== SCRIPT_VERB) {
    throw new SlipstreamError(
      'INVALID_REQUEST',
      { what: 'Slipstream was started without a title.', next: 'Choose a film or an episode in TMDbHelper.' },
      { detail: `verb ${quoted(verb ?? '')}` },
    );
  }
  const split = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return at < 0
      ? [pair, '']
      : [pair.slice(0, at).trim(), decodeOnce(pair.slice(at + 1, at + 1 + MAX_VALUE))];
  });
  return { kind: 'play', request: mediaRequest(presentParameters(split)) };
}

/** A page of the settings, by its id. */
const PAGE_ID = /^[\w-]{1,40}$/;

/** `/setup/<action>?service=…&back=…`; what neither is a service nor a page is as if it were not there. */
function actionOf(path: string, parameters: Parameters): ActionRequest | undefined {
  const action = ACTIONS.find((each) => path === `/setup/${each}`);
  if (action === undefined) return undefined;
  const service = SERVICES.find(({ id }) => id === parameters.get('service'))?.id;
  const back = parameters.get('back');
  return {
    action,
    ...(service !== undefined && { service }),
    ...(back !== undefined && PAGE_ID.test(back) && { back }),
  };
}

function directPlay(parameters: Parameters): Entry {
  const url = parameters.get('url') ?? '';
  const parsed = url.length <= MAX_URL && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new SlipstreamError('INVALID_REQUEST', {
      what: 'This address cannot be played.',
      next: 'Only http:// and https:// addresses of media files can.',
    });
  }
  const title = parameters.get('title') ?? (fileNameOf(parsed) || parsed.hostname);
  return { kind: 'direct-play', url, title: shortened(title, MAX_TITLE) };
}

/** What an address calls its file; empty when it names none. */
export const fileNameOf = (url: URL): string =>
  withoutControlCharacters(decodeOnce(url.pathname.split('/').findLast((part) => part !== '') ?? ''));

/** First value per key; TMDbHelper writes "None" and "_" for what it does not know (protocols.md §9.3). */
function presentParameters(pairs: Iterable<[string, string]>): Parameters {
  const parameters = new Map<string, string>();
  for (const [key, raw] of pairs) {
    const value = withoutControlCharacters(raw.slice(0, MAX_VALUE));
    if (!parameters.has(key) && value !== '' && value !== 'None' && value !== '_') parameters.set(key, value);
  }
  return parameters;
}

/** Without control characters (a plot keeps its lines) and without halves of a character, which no URL can carry. */
const withoutControlCharacters = (text: string) =>
  text
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/\p{Cs}/gu, '\uFFFD')
    .trim();

/** Decodes what is encoded; a "%" that starts nothing valid was never encoded and stands for itself. */
function decodeOnce(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

const quoted = (text: string) => JSON.stringify(shortened(text, MAX_QUOTE));
