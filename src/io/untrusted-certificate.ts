import { SlipstreamError } from '../errors/index.ts';
import { ownValue } from './own-property.ts';

/** What is wrong with a certificate. issuer: nobody that this device knows has issued it. */
export type CertificateFault = 'self-signed' | 'issuer' | 'expired' | 'early' | 'name' | 'other';

/** HTTPS is spoken there, by a certificate that this device does not trust: nothing has been asked yet. */
export class UntrustedCertificate extends SlipstreamError {
  readonly fault: CertificateFault;
  /** Says what is wrong: "its certificate is self-signed". */
  readonly reason: string;
  /** Where it is shown: "https://nas:6969". */
  readonly origin: string;

  constructor(who: string, at: URL, error: Error, code: string) {
    const fault = ownValue(FAULT_BY_CODE, code) ?? 'other';
    const words = FAULT_TEXTS[fault](namesIn(error));
    const explanation = { what: `${who} cannot be reached (${words}).`, next: NEXT };
    super('UNREACHABLE', explanation, { cause: error, detail: code });
    this.fault = fault;
    this.reason = words;
    this.origin = at.origin;
  }
}

/** Codes of Node's by which this device refuses the other side's certificate. */
export const isCertificateError = (code: string): boolean => Object.hasOwn(FAULT_BY_CODE, code);

/**
 * Node's "X509 certificate error codes" (its documentation of `tls`) but OUT_OF_MEM, UNSPECIFIED for those that OpenSSL
 * has beyond them, and what Node itself finds wrong with the host names.
 */
const FAULT_BY_CODE: Readonly<Record<string, CertificateFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'issuer',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'early',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  HOSTNAME_MISMATCH: 'name',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'other',
  UNABLE_TO_GET_CRL: 'other',
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: 'other',
  UNABLE_TO_DECRYPT_CRL_SIGNATURE: 'other',
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 'other',
  CERT_SIGNATURE_FAILURE: 'other',
  CRL_SIGNATURE_FAILURE: 'other',
  CRL_NOT_YET_VALID: 'other',
  CRL_HAS_EXPIRED: 'other',
  ERROR_IN_CERT_NOT_BEFORE_FIELD: 'other',
  ERROR_IN_CERT_NOT_AFTER_FIELD: 'other',
  ERROR_IN_CRL_LAST_UPDATE_FIELD: 'other',
  ERROR_IN_CRL_NEXT_UPDATE_FIELD: 'other',
  CERT_CHAIN_TOO_LONG: 'other',
  CERT_REVOKED: 'other',
  INVALID_CA: 'other',
  PATH_LENGTH_EXCEEDED: 'other',
  INVALID_PURPOSE: 'other',
  CERT_UNTRUSTED: 'other',
  CERT_REJECTED: 'other',
  UNSPECIFIED: 'other',
};

const FAULT_TEXTS: Readonly<Record<CertificateFault, (names: readonly string[]) => string>> = {
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
const MAX_NAMES = 3;

/** The host names that the certificate is for, of which Node tells where that is what is wrong. */
function namesIn(error: Error): string[] {
  const cert = 'cert' in error ? error.cert : undefined;
  if (typeof cert !== 'object' || cert === null || !('subjectaltname' in cert)) return [];
  const names = String(cert.subjectaltname).matchAll(/\bDNS:((?:\*\.)?[a-z0-9.-]{1,253})(?:,|$)/gi);
  return [...names].map(([, name = '']) => name).slice(0, MAX_NAMES);
}
