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
