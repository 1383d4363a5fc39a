import { SlipstreamError } from '../errors/index.ts';
import { fetchBounded, type HttpAnswer } from '../io/http.ts';

/** One look at an address that may be anybody's. */
export interface Probing {
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
}

interface Probe extends Probing {
  readonly url: string;
  readonly method?: string;
  readonly maxRedirects?: number;
}

/** No page that tells who serves it is longer. */
const MAX_BYTES = 256 * 1024;

/** Without a key and without a password: it may be somebody else who answers. @throws as `fetchBounded` */
export function lookAt({ maxRedirects = 0, ...request }: Probe): Promise<HttpAnswer> {
  // Many of them listen side by side; Node takes more than ten on one signal for a leak.
  const signal = AbortSignal.any([request.signal]);
  return fetchBounded({ ...request, signal, who: 'The server', maxBytes: MAX_BYTES, maxRedirects });
}

/** Whether what answers is what was looked for. A certificate that is not trusted is an answer too: HTTPS is spoken there. */
export async function answers(probe: Probe, fits: (answer: HttpAnswer) => boolean): Promise<boolean> {
  try {
    return fits(await lookAt(probe));
  } catch (error) {
    probe.signal.throwIfAborted();
    return error instanceof SlipstreamError && error.code === 'UNREACHABLE' && isCertificate(error);
  }
}

const isCertificate = ({ message }: SlipstreamError) => message.includes('certificate');
