import { CancelledError, SlipstreamError } from '../errors/index.ts';
import { ownValue } from './own-property.ts';
import { isCertificateError, UntrustedCertificate } from './untrusted-certificate.ts';

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

/**
 * What Node threw, in words. Its own messages are kept as the cause: they name hosts, but no path and no key.
 * @param at What was asked.
 */
export function asHttpError(error: unknown, who: string, at: URL): Error {
  if (error instanceof SlipstreamError || error instanceof CancelledError) return error;
  const code = codeOf(error);
  if (code === undefined || !isConnectionFailure(code))
    return badAnswer(who, code ?? messageOf(error), error);
  if (error instanceof Error && isCertificateError(code))
    return new UntrustedCertificate(who, at, error, code);
  if (isAlertOfCertificate(code)) return clientCertificateError(who, code, error);
  return new SlipstreamError(
    'UNREACHABLE',
    {
      what: `${who} cannot be reached (${ownValue(CODE_TEXTS, code) ?? codeFamilyText(code)}).`,
      next: 'Check that it is running and that its address and port are right.',
    },
    { cause: error, detail: code, transient: true },
  );
}

const CODE_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the name server does not answer',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no network',
  ECONNRESET: 'it broke off the connection',
  EPIPE: 'it broke off the connection',
  ERR_STREAM_PREMATURE_CLOSE: 'it broke off the connection',
  ETIMEDOUT: 'it does not respond',
};

const codeFamilyText = (code: string): string =>
  /^(?:ERR_SSL_|EPROTO)/.test(code) ? 'it does not speak HTTPS at this port' : code;

/** The other side has ended the connection for want of a certificate, of which this device shows none. */
const isAlertOfCertificate = (code: string) => /^ERR_SSL_.*_ALERT_.*CERTIFICATE/.test(code);

function clientCertificateError(who: string, code: string, cause: unknown): SlipstreamError {
  return new SlipstreamError(
    'UNREACHABLE',
    {
      what: `${who} cannot be reached (it wants a certificate of this device).`,
      next: 'Slipstream has none to show: enter an address that asks for none.',
    },
    { cause, detail: code },
  );
}

/** Failures of name, route, connection and TLS; what is left are answers that cannot be read. */
const isConnectionFailure = (code: string) =>
  code in CODE_TEXTS || isCertificateError(code) || /^(?:E(?!RR_)|ERR_SSL_|ERR_TLS_)/.test(code);

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'no reason');
