import type { RequestListener } from 'node:http';

/**
 * What Prowlarr 2.3.6 answers to `GET /initialize.json` where it wants no login, with this key. Recorded by the project
 * with authentication "External", and with it disabled for local addresses.
 */
export const prowlarrStart = (apiKey: string, urlBase = ''): string =>
  JSON.stringify({
    apiRoot: `${urlBase}/api/v1`,
    apiKey,
    release: '10.0.0.27226-Release-dev',
    version: '10.0.0.27226',
    instanceName: 'Prowlarr',
    theme: 'auto',
    branch: 'master',
    analytics: false,
    userHash: 'c769f566',
    urlBase,
    isProduction: false,
  });

/** Of what it answers to `GET /api/v1/system/status` with its key, the beginning. From the same recordings. */
export const prowlarrStatus = (appName = 'Prowlarr'): string =>
  JSON.stringify({ appName, instanceName: appName, version: '10.0.0.27226', isDebug: false });

/** A Prowlarr of which no more is there than how it begins and, for its key, who it is. */
export function prowlarrGiving(
  key: string,
  { urlBase = '', status = prowlarrStatus() } = {},
): RequestListener {
  return (request, response) => {
    if (request.url === `${urlBase}/initialize.json`) response.end(prowlarrStart(key, urlBase));
    else if (request.url !== `${urlBase}/api/v1/system/status`) response.writeHead(404).end();
    else if (request.headers['x-api-key'] !== key) response.writeHead(401).end();
    else response.end(status);
  };
}
