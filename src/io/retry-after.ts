import type { IncomingHttpHeaders } from 'node:http';

/** Milliseconds. Quotas are counted by the day; whoever asks for more is asked again all the same. */
const MAX_RETRY_AFTER = 24 * 3_600_000;

/**
 * How long a service asks to be left alone, in milliseconds: Retry-After holds seconds or a date (RFC 9110 §10.2.3).
 * A date is taken by the service's own clock, for many media boxes start with a wrong one.
 */
export function retryAfterOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const rest = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : untilDate(text, headers.date);
  return rest > 0 ? Math.min(rest, MAX_RETRY_AFTER) : undefined;
}

/** NaN for what is no date. */
function untilDate(text: string, serversDate = ''): number {
  if (!/[a-z]{3}/i.test(text)) return Number.NaN;
  const now = Date.parse(serversDate);
  return Date.parse(text) - (Number.isNaN(now) ? Date.now() : now);
}
