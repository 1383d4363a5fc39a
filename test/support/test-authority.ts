import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';

const AUTHORITY = join(import.meta.dirname, '../fixtures/tls/authority.pem');

/** Until the test ends, this process trusts what the authority for tests has issued, as well as all that it trusts by itself. */
export function trustTestAuthority(): void {
  const { createSecureContext } = tls;
  const authority = readFileSync(AUTHORITY, 'utf8');
  tls.createSecureContext = (options) => {
    const secure = createSecureContext(options);
    // Options have no way to add to what is trusted (Node 20).
    (secure.context as { addCACert: (pem: string) => void }).addCACert(authority);
    return secure;
  };
  onTestFinished(() => {
    tls.createSecureContext = createSecureContext;
  });
}
