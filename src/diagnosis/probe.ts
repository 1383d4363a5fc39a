import { fetchBounded } from '../io/http.ts';
import { type HttpResponse } from '../io/http-answer.ts';
import { UntrustedCertificate } from '../io/untrusted-certificate.ts';

/** One look at an address that may be anybody's. */
export interface ProbeOptions {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

interface ProbeRequest extends ProbeOptions {
  readonly url: string;
  readonly method?: string;
  readonly maxRedirects?: number;
}

/** No page that tells who serves it is longer. */
const MAX_BYTES = 256 * 1024;

/** Without a key and without a password: it may be somebody else who answers. @throws as `fetchBounded` */
export function sendProbe({ maxRedirects = 0, ...request }: ProbeRequest): Promise<HttpResponse> {
  // Many of them listen side by side; Node takes more than ten on one signal for a leak.
  const signal = AbortSignal.any([request.signal]);
  return fetchBounded({ ...request, signal, who: 'The server', maxBytes: MAX_BYTES, maxRedirects });
}

/** Whether what answers is what was looked for. Rejects only when the signal aborts. */
export async function probeMatches(
  probe: ProbeRequest,
  fits: (answer: HttpResponse) => boolean,
): Promise<boolean> {
  try {
    return fits(await sendProbe(probe));
  } catch {
    probe.signal.throwIfAborted();
    return false;
  }
}

/**
 * Whether HTTPS is spoken at an address's host and port by a certificate that is not trusted: what is behind it is not
 * asked. Rejects only when the signal aborts.
 */
export async function hasUntrustedCertificate(
  address: string,
  { signal, timeout }: ProbeOptions,
): Promise<boolean> {
  try {
    await sendProbe({ url: new URL(address).origin, signal, timeout });
    return false;
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof UntrustedCertificate;
  }
}
