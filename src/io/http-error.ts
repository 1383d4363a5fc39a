import { CancelledError, SlipstreamError } from '../errors/index.ts';

/** The answer is not what the protocol allows. `detail` is for the log; no address belongs in it. */
export function badAnswer(who: string, detail: string, cause?: unknown): SlipstreamError {
  return new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${who} sent an answer that makes no sense.`,
      next: 'Check that the address belongs to the right service.',
    },
    { detail, cause },
  );
}

export function tooLarge(who: string, maxBytes: number): SlipstreamError {
  const limit =
    maxBytes < 1024 * 1024 ? `${Math.ceil(maxBytes / 1024)} KB` : `${Math.round(maxBytes / 1024 / 1024)} MB`;
  return new SlipstreamError('TOO_LARGE', {
    what: `${who} sent an answer larger than ${limit}.`,
    next: 'Check that the address belongs to the right service.',
  });
}

/** What Node threw, in words. Its own messages are kept as the cause: they name hosts, but no path and no key. */
export function asHttpError(error: unknown, who: string): Error {
  if (error instanceof SlipstreamError || error instanceof CancelledError) return error;
  const code = codeOf(error);
  if (code === undefined || !isConnectionFailure(code))
    return badAnswer(who, code ?? messageOf(error), error);
  const isCertificate = /CERT|SIGNATURE/.test(code);
  return new SlipstreamError(
    'UNREACHABLE',
    {
      what: `${who} cannot be reached (${WORDS[code] ?? familyWords(code)}).`,
      next: isCertificate
        ? 'Give it a certificate that this device trusts, or use its http:// address.'
        : 'Check that it is running and that its address and port are right.',
    },
    { cause: error, detail: code, transient: !isCertificate },
  );
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no network',
  ECONNRESET: 'it broke off the connection',
  EPIPE: 'it broke off the connection',
  ERR_STREAM_PREMATURE_CLOSE: 'it broke off the connection',
  ETIMEDOUT: 'it does not respond',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: check the clock of this device',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

function familyWords(code: string): string {
  if (/CERT|SIGNATURE/.test(code)) return 'its certificate is not trusted';
  return /^(?:ERR_SSL_|EPROTO)/.test(code) ? 'it does not speak HTTPS at this port' : code;
}

/** Failures of name, route, connection and TLS; what is left are answers that cannot be read. */
const isConnectionFailure = (code: string) =>
  code in WORDS || /^(?:E(?!RR_)|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_)/.test(code);

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'no reason');
