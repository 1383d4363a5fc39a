import { SlipstreamError } from '../errors/index.ts';

/** What is wrong with a certificate. issuer: nobody that this device knows has issued it. */
export type Fault = 'self-signed' | 'issuer' | 'expired' | 'early' | 'name' | 'other';

/** HTTPS is spoken there, by a certificate that this device does not trust: nothing has been asked yet. */
export class Untrusted extends SlipstreamError {
  readonly fault: Fault;
  /** Says what is wrong: "its certificate is self-signed". */
  readonly words: string;
  /** Where it is shown: "https://nas:6969". */
  readonly origin: string;

  constructor(who: string, at: URL, error: Error, code: string) {
    const fault = FAULTS[code] ?? 'other';
    const words = WORDS[fault](namesIn(error));
    const explanation = { what: `${who} cannot be reached (${words}).`, next: NEXT };
    super('UNREACHABLE', explanation, { cause: error, detail: code });
    this.fault = fault;
    this.words = words;
    this.origin = at.origin;
  }
}

/** Codes of Node's that speak of the other side's certificate. */
export const isOfCertificate = (code: string): boolean => /CERT|SIGNATURE/.test(code);

const FAULTS: Readonly<Record<string, Fault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'issuer',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
};

const WORDS: Readonly<Record<Fault, (names: readonly string[]) => string>> = {
  'self-signed': () => 'its certificate is self-signed',
  issuer: () => 'its certificate comes from an issuer that this device does not know',
  expired: () => 'its certificate has expired',
  early: () => 'its certificate is not valid yet',
  name: (names) => `its certificate is for ${names.length === 0 ? 'another host name' : names.join(' and ')}`,
  other: () => 'its certificate is not trusted',
};

/**
 * It may be a filter or a captive portal that shows the certificate: nothing here may lead a key to plain HTTP or to the
 * names that such a one has.
 */
const NEXT = 'Check its address and the clock of this device, then test the connection.';

/** As many host names are told of those that a certificate is for. */
const MOST_NAMES = 3;

/** The host names that the certificate is for, of which Node tells where that is what is wrong. */
function namesIn(error: Error): string[] {
  const cert = 'cert' in error ? error.cert : undefined;
  if (typeof cert !== 'object' || cert === null || !('subjectaltname' in cert)) return [];
  const names = String(cert.subjectaltname).matchAll(/\bDNS:((?:\*\.)?[a-z0-9.-]{1,253})(?:,|$)/gi);
  return [...names].map(([, name = '']) => name).slice(0, MOST_NAMES);
}
