import { hasUntrustedCertificate, probeMatches } from '../../../diagnosis/index.ts';
import { isLocalHost } from '../../../io/local-network.ts';
import { asHttps } from './address.ts';

/** Milliseconds. */
const TIMEOUT = 3_000;

/**
 * A "stremio://" address by the scheme that is spoken there: HTTPS, or plain HTTP where that answers and HTTPS does not.
 * Plain HTTP is tried in the person's own network only: the address is a key. Any other address stays as it was entered.
 * Rejects only when the signal aborts.
 */
export async function resolveScheme(entered: string, signal: AbortSignal): Promise<string> {
  const secure = asHttps(entered);
  if (secure === entered.trim() || !URL.canParse(secure)) return entered;
  if (!(await isLocalHost(new URL(secure), signal))) return secure;
  const plain = secure.replace(/^https:/, 'http:');
  const speaks = (url: string) => {
    const asked = { url: `${new URL(url).origin}/`, signal, timeout: TIMEOUT };
    // What a server of HTTPS says to who asks it otherwise.
    return probeMatches(asked, ({ status }) => status !== 400);
  };
  const looks = [
    speaks(secure),
    hasUntrustedCertificate(secure, { signal, timeout: TIMEOUT }),
    speaks(plain),
  ];
  const [isSecure, isUnknown, isPlain] = await Promise.all(looks);
  return isPlain === true && isSecure === false && isUnknown === false ? plain : secure;
}
