import {
  type ProbeOptions,
  type ProbeTarget,
  probeMatches,
  refusedByOtherServer,
  type Variant,
} from '../../../diagnosis/index.ts';
import { asSlipstreamError, type SlipstreamError } from '../../../errors/index.ts';
import type { SettingId } from '../../../settings/index.ts';
import type { SourceAddress } from './address.ts';
import { addressPlace, isAccountFailure, type ServiceLabels } from './refusal.ts';

/** What a connection test of a source has to know of its kind. */
export interface ProbeDefaults {
  readonly settings: {
    readonly url: SettingId;
    /** The same, where the address holds the key. */
    readonly key: SettingId;
  };
  readonly usualPorts: readonly string[];
  readonly usualPaths: readonly string[];
  /** As ProbeTarget.isThirdParty. */
  readonly isThirdParty: boolean;
  /** Its API may have a host of its own, "api." before that of its pages. */
  readonly hasApiHost?: true;
}

/** Milliseconds until a service that only has to say who it is counts as silent. */
export const GREETING_TIMEOUT = 10_000;

export function probeTargetOf(
  service: ServiceLabels,
  { base }: SourceAddress,
  { usualPorts, usualPaths, isThirdParty: isTheirs, hasApiHost }: ProbeDefaults,
  isAt: ProbeTarget['isAt'],
): ProbeTarget {
  const place = addressPlace(service);
  const likely = hasApiHost ? apiHost(base) : undefined;
  return {
    label: service.who,
    settingLabel: place,
    enteredUrl: base,
    usualPorts,
    usualPaths,
    isThirdParty: isTheirs,
    isAt,
    ...(likely !== undefined && { likelyVariant: likely }),
  };
}

/**
 * The refusal of a key by the service itself, which shows that it is there: whoever greets it goes on, and a later step
 * fails of it. @throws what was thrown when it is nothing of the kind, or who refused in the service's place
 */
export async function confirmKeyRefusal(
  thrown: unknown,
  sought: ProbeTarget,
  signal: AbortSignal,
): Promise<SlipstreamError> {
  signal.throwIfAborted();
  const error = asSlipstreamError(thrown);
  if (!isAccountFailure(error)) throw error;
  const other = await refusedByOtherServer(error, sought, { signal });
  if (other !== undefined) throw other;
  return error;
}

/** undefined where a host cannot have another one before it, or has it already. */
export function apiHost(base: string): Variant | undefined {
  const { protocol, host, hostname } = new URL(base);
  const isName = /[a-z]$/i.test(hostname) && hostname.includes('.') && !hostname.startsWith('api.');
  if (!isName) return undefined;
  return { url: `${protocol}//api.${host.replace(/^www\./, '')}`, mistake: 'port' };
}

/** Newznab answers everybody who asks what it can, if only that it misses the key. */
export const isNewznabAt = (base: string, probing: ProbeOptions): Promise<boolean> =>
  probeMatches({ url: `${base}/api?t=caps`, ...probing }, (answer) =>
    NEWZNAB.test(answer.text().slice(0, 2000)),
  );

const NEWZNAB = /^\s*(?:<\?xml[^>]*>\s*)?<(?:caps|error)[\s/>]/;
