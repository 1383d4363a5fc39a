import { type ProbeOptions, probeMatches } from '../../../diagnosis/index.ts';
import { type ErrorCode, SlipstreamError } from '../../../errors/index.ts';
import { isRecord, parseJson } from '../../../io/json.ts';
import { isUnreachable } from './client.ts';
import { addonSoftwareOf } from './manifest.ts';

/** What AIOStreams answers to an address that it does not know: the key is wrong, the path is, or no add-on is there. */
const SUSPECT_CODES: ReadonlySet<ErrorCode> = new Set([
  'AUTH_FAILED',
  'BAD_ANSWER',
  'NOT_CONFIGURED',
  'SERVICE_ERROR',
]);

/**
 * Whether AIOStreams is there, and the address none of a person's: to everybody it shows a manifest that offers nothing
 * (protocols.md §8.4). Rejects only when the signal aborts.
 *
 * @returns undefined where something else is wrong
 */
export async function explainWrongAioStreams(
  error: SlipstreamError,
  base: string,
  probing: ProbeOptions,
): Promise<SlipstreamError | undefined> {
  if (!SUSPECT_CODES.has(error.code) || isUnreachable(error)) return undefined;
  const publicBase = publicBaseOf(base);
  const isOfEverybody = base === publicBase;
  // A person's own add-on that offers nothing is another matter.
  if (error.code === 'NOT_CONFIGURED' && !isOfEverybody) return undefined;
  const url = `${publicBase}/manifest.json`;
  if (!(await probeMatches({ url, ...probing }, (answer) => isAioStreams(answer.text())))) return undefined;
  const page = `${publicBase}/configure`;
  const explanation = isOfEverybody
    ? {
        what: 'This is the page of AIOStreams, and not your own address of it.',
        next: `Open ${page} in a browser, and copy the address of the manifest that it shows.`,
      }
    : {
        what: 'AIOStreams is there, but does not know this address: a letter is wrong or missing, or it is an old one.',
        next: `Copy it anew at ${page}.`,
      };
  return new SlipstreamError('AUTH_FAILED', explanation, { cause: error, detail: error.message });
}

/** Behind a reverse proxy it may have a path. */
function publicBaseOf(base: string): string {
  const [root = new URL(base).origin] = /^.+(?=\/stremio(?:\/|$))/.exec(base) ?? [];
  return `${root}/stremio`;
}

function isAioStreams(text: string): boolean {
  const manifest = parseJson(text);
  return (
    isRecord(manifest) &&
    typeof manifest['id'] === 'string' &&
    addonSoftwareOf(manifest['id']) === 'aiostreams'
  );
}
