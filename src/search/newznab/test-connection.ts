import { type Explained, explainAddress, runSteps, type Step } from '../../diagnosis/index.ts';
import { SlipstreamError } from '../../errors/index.ts';
import { Moved } from '../../io/moved.ts';
import { childOf, type XmlElement } from '../../io/xml.ts';
import type { Check } from '../../settings/index.ts';
import { oneLine } from '../wire/refusal.ts';
import { type Findable, LONGEST_GREETING, refusedKey, soughtSource, speaksNewznab } from '../wire/sought.ts';
import { parseCaps } from './caps.ts';
import { type Called, type Client, callCaps, callSearch } from './client.ts';
import type { FeedDocument } from './document.ts';
import { type Parameters, withoutRefused } from './query.ts';

export interface Tested {
  readonly client: Client;
  readonly findable: Findable;
  /** Milliseconds for a search. */
  readonly timeout: number;
  /** What came of a search that lists nothing. */
  readonly nothingListed: () => SlipstreamError;
  /** Of a manager: a check of each source behind it, in place of a search; undefined where it does not tell them apart. */
  readonly members?: (signal: AbortSignal) => Promise<readonly Check[] | undefined>;
  /** It has said what it can be asked by. */
  readonly learn: (caps: XmlElement) => Promise<void>;
}

/**
 * As Testable.test: that it is the service, then that a search with the key lists something; of a manager, what each
 * source behind it is at, which costs none of them a search.
 */
export function testConnection(tested: Tested, signal: AbortSignal): Promise<readonly Check[]> {
  const greeted: Greeted = {};
  return runSteps([greeting(tested, greeted), search(tested, greeted)], signal);
}

/** What the first step leaves to the second. */
interface Greeted {
  /** Some want the key already to say what they can: then it is what the second step fails of. */
  refused?: SlipstreamError;
  /** Its caps forbid a search by words: it then lists nothing, whatever it has. */
  isAskedByIds?: boolean;
}

function greeting(tested: Tested, greeted: Greeted): Step {
  const { client, findable, learn } = tested;
  const { service, address } = client;
  const sought = soughtSource(service, address, findable, speaksNewznab);
  return {
    what: () => `The address of ${service.name}`,
    run: async (signal) => {
      try {
        const called = await callCaps(client, { signal, timeout: LONGEST_GREETING });
        if (called.kind !== 'answer') return undefined;
        await learn(called.document);
        greeted.isAskedByIds = parseCaps(called.document).forbidsText === true;
        return softwareIn(called.document);
      } catch (thrown) {
        greeted.refused = await refusedKey(thrown, sought, signal);
        return undefined;
      }
    },
    explain: async (error, signal) => ({
      failure: await explainAddress(error, sought, { signal }),
      setting: findable.settings.url,
    }),
  };
}

function softwareIn(caps: XmlElement): string | undefined {
  const title = childOf(caps, 'server')?.attributes.get('title');
  return title === undefined ? undefined : oneLine(title, 60) || undefined;
}

/** The newest films, one of them: every service has some, and a search counts as one whatever it lists. */
const NEWEST: Parameters = { t: 'search', cat: '2000', extended: '1', limit: '1' };

function search({ client, findable, timeout, nothingListed, members }: Tested, greeted: Greeted): Step {
  return {
    what: () => `A search with the API key of ${client.service.name}`,
    run: async (signal) => {
      if (greeted.refused !== undefined) throw greeted.refused;
      const lines = await members?.(signal);
      if (lines !== undefined) return lines;
      const called = await newest(client, { signal, timeout });
      // It knows no search without words, and has taken the key.
      if (called.kind === 'unsupported') return undefined;
      const rows = called.kind === 'nothing' ? 0 : called.document.items.length;
      if (rows === 0 && greeted.isAskedByIds === true) return 'takes the key; is asked by ids only';
      if (rows === 0) throw nothingListed();
      return 'lists releases';
    },
    explain: (failure) => explainSearch(failure, findable),
  };
}

/** Used up is no key that is wrong; neither is a list without rows. */
function explainSearch(failure: SlipstreamError, { settings }: Findable): Explained {
  if (failure instanceof Moved) return { failure, setting: settings.url };
  return { failure, ...(failure.code === 'AUTH_FAILED' && { setting: settings.key }) };
}

async function newest(
  client: Client,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<Called<FeedDocument>> {
  const called = await callSearch(client, NEWEST, options);
  const rest = called.kind === 'unsupported' ? withoutRefused(NEWEST, called.refusal) : undefined;
  return rest === undefined ? called : await callSearch(client, rest, options);
}
