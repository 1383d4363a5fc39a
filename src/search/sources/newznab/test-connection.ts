import type { Check } from '../../../diagnosis/check.ts';
import { type CheckStep, explainAddress, runCheckSteps, type StepFailure } from '../../../diagnosis/index.ts';
import { SlipstreamError } from '../../../errors/index.ts';
import { CrossOriginRedirect } from '../../../io/cross-origin-redirect.ts';
import { phraseOf } from '../../../io/external-text.ts';
import { childOf, type XmlElement } from '../../../io/xml.ts';
import {
  confirmKeyRefusal,
  GREETING_TIMEOUT,
  isNewznabAt,
  type ProbeDefaults,
  probeTargetOf,
} from '../common/probe-target.ts';
import { parseCaps } from './caps.ts';
import { type CallResult, callCaps, callSearch, type NewznabClient } from './client.ts';
import type { FeedDocument } from './feed-document.ts';
import { type NewznabParameters, withoutRejectedParameter } from './query-parameters.ts';

export interface NewznabTest {
  readonly client: NewznabClient;
  readonly findable: ProbeDefaults;
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
export function testConnection(tested: NewznabTest, signal: AbortSignal): Promise<readonly Check[]> {
  const greeted: AddressCheck = {};
  return runCheckSteps([checkAddress(tested, greeted), checkSearch(tested, greeted)], signal);
}

/** What the first step leaves to the second. */
interface AddressCheck {
  /** Some want the key already to say what they can: then it is what the second step fails of. */
  refused?: SlipstreamError;
  /** Its caps forbid a search by words: it then lists nothing, whatever it has. */
  isIdOnly?: boolean;
}

function checkAddress(tested: NewznabTest, greeted: AddressCheck): CheckStep {
  const { client, findable, learn } = tested;
  const { service, address } = client;
  const sought = probeTargetOf(service, address, findable, isNewznabAt);
  return {
    what: () => `The address of ${service.name}`,
    run: async (signal) => {
      try {
        const called = await callCaps(client, { signal, timeout: GREETING_TIMEOUT });
        if (called.kind !== 'answer') return undefined;
        await learn(called.document);
        greeted.isIdOnly = parseCaps(called.document).forbidsText === true;
        return softwareIn(called.document);
      } catch (thrown) {
        greeted.refused = await confirmKeyRefusal(thrown, sought, signal);
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
  return title === undefined ? undefined : phraseOf(title, 60) || undefined;
}

/** The newest films, one of them: every service has some, and a search counts as one whatever it lists. */
const NEWEST: NewznabParameters = { t: 'search', cat: '2000', extended: '1', limit: '1' };

function checkSearch(
  { client, findable, timeout, nothingListed, members }: NewznabTest,
  greeted: AddressCheck,
): CheckStep {
  return {
    what: () => `A search with the API key of ${client.service.name}`,
    run: async (signal) => {
      if (greeted.refused !== undefined) throw greeted.refused;
      const lines = await members?.(signal);
      if (lines !== undefined) return lines;
      const called = await fetchNewest(client, { signal, timeout });
      // It knows no search without words, and has taken the key.
      if (called.kind === 'unsupported') return undefined;
      const rows = called.kind === 'nothing' ? 0 : called.document.items.length;
      if (rows === 0 && greeted.isIdOnly === true) return 'takes the key; is asked by ids only';
      if (rows === 0) throw nothingListed();
      return 'lists releases';
    },
    explain: (failure) => explainSearch(failure, findable),
  };
}

/** Used up is no key that is wrong; neither is a list without rows. */
function explainSearch(failure: SlipstreamError, { settings }: ProbeDefaults): StepFailure {
  if (failure instanceof CrossOriginRedirect) return { failure, setting: settings.url };
  return { failure, ...(failure.code === 'AUTH_FAILED' && { setting: settings.key }) };
}

async function fetchNewest(
  client: NewznabClient,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): Promise<CallResult<FeedDocument>> {
  const called = await callSearch(client, NEWEST, options);
  const rest = called.kind === 'unsupported' ? withoutRejectedParameter(NEWEST, called.refusal) : undefined;
  return rest === undefined ? called : await callSearch(client, rest, options);
}
