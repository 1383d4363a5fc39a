import { SlipstreamError } from '../../errors/index.ts';
import { fetchBounded } from '../../io/http.ts';

export interface JsonRequest {
  readonly service: string;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * What a service answers; undefined when it does not know what is asked for.
 * @throws SlipstreamError as `fetchBounded` does, AUTH_FAILED, SERVICE_ERROR; BAD_ANSWER for what is no JSON
 */
export async function fetchJson({ service: who, url, signal, headers = {} }: JsonRequest): Promise<unknown> {
  const answer = await fetchBounded({ who, url, signal, headers, maxBytes: MAX_BYTES });
  if (answer.status === 404) return undefined;
  if (answer.status === 401 || answer.status === 403)
    throw new SlipstreamError('AUTH_FAILED', {
      what: `${who} refuses the key.`,
      next: 'Check it in the settings of Slipstream (Connection), or leave it empty.',
    });
  if (answer.status !== 200)
    throw new SlipstreamError(
      'SERVICE_ERROR',
      { what: `${who} reports an error.`, next: 'Try again later.' },
      { detail: `status ${answer.status}` },
    );
  try {
    return JSON.parse(answer.text());
  } catch (cause) {
    throw new SlipstreamError(
      'BAD_ANSWER',
      { what: `${who} sent an answer that makes no sense.`, next: 'Try again later.' },
      { cause },
    );
  }
}
