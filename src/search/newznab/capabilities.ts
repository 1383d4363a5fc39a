import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { SlipstreamError } from '../../errors/index.ts';
import { type Document, openDocument } from '../../io/store.ts';
import type { Logger } from '../../log/index.ts';
import { type Caps, MAX_LENGTH, MAX_PARAMETERS, parseCaps, USUAL_CAPS } from './caps.ts';
import { type Client, call } from './client.ts';

interface CapsOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly log: Logger;
}

/**
 * What the indexer can search by: remembered for days, then asked for again. A search is never lost because they
 * cannot be had.
 *
 * @throws SlipstreamError only what the search itself would run into as well
 */
export async function capabilitiesOf(
  client: Client,
  folder: string,
  { signal, timeout, log }: CapsOptions,
): Promise<Caps> {
  const document = openCapsDocument(folder, client.endpoint.url);
  const stored = await document.read();
  if (stored !== undefined && isFresh(stored, Date.now())) return stored.caps;
  try {
    const limit = Math.min(timeout / 3, LONGEST_WAIT);
    const answer = await call(client, { t: 'caps' }, 'caps', { signal, timeout: limit });
    if (typeof answer === 'string') return stored?.caps ?? USUAL_CAPS;
    const caps = parseCaps(answer.root);
    await remember(document, caps, log);
    return caps;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (isFinal(error)) throw error;
    log.warning(`${client.who}: its capabilities are not known: ${String(error)}`);
    return stored?.caps ?? USUAL_CAPS;
  }
}

/** Milliseconds. Better to search by guess than to let somebody wait for a luxury. */
const LONGEST_WAIT = 5_000;

async function remember(document: Document<StoredCaps>, caps: Caps, log: Logger): Promise<void> {
  try {
    await document.write({ fetched: Date.now(), caps });
  } catch (error) {
    log.warning(`capabilities are not remembered: ${String(error)}`);
  }
}

/** What the search itself would run into as well. */
const isFinal = (error: unknown) =>
  error instanceof SlipstreamError && ['AUTH_FAILED', 'RATE_LIMITED', 'UNREACHABLE'].includes(error.code);

const names = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(MAX_LENGTH))),
  v.maxLength(MAX_PARAMETERS),
  v.readonly(),
);
const StoredCaps = v.object({
  /** Milliseconds since the epoch. */
  fetched: v.number(),
  caps: v.object({ search: names, tv: names, movie: names }),
});
type StoredCaps = v.InferOutput<typeof StoredCaps>;

/** Indexers change what they offer once in years. */
const FRESH_FOR = 7 * 24 * 3_600_000;

const isFresh = ({ fetched }: StoredCaps, now: number) => fetched <= now && now - fetched < FRESH_FOR;

/** Where the caps of one address are kept. The file's name is a hash: an address may hold a secret. */
function openCapsDocument(folder: string, url: string): Document<StoredCaps> {
  const hash = createHash('sha256').update(url).digest('hex').slice(0, 16);
  return openDocument(folder, `caps-${hash}`, { version: 1, parse: (value) => v.parse(StoredCaps, value) });
}
