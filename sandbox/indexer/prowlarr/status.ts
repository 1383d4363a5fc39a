import { VERSION } from './answers.ts';
import { dateText, type Prowlarr } from './prowlarr.ts';

const STARTED = Date.UTC(2026, 10, 22, 15, 8, 32);

/** GET /api/v1/system/status. */
export function statusResource({ authentication, urlBase }: Prowlarr): unknown {
  return {
    appName: 'Prowlarr',
    instanceName: 'Prowlarr',
    version: VERSION,
    buildTime: dateText(STARTED),
    isDebug: false,
    isProduction: true,
    isAdmin: false,
    isUserInteractive: true,
    startupPath: '/app/prowlarr/bin',
    appData: '/config',
    osName: 'debian',
    osVersion: '12',
    isNetCore: true,
    isLinux: true,
    isOsx: false,
    isWindows: false,
    isDocker: true,
    mode: 'console',
    branch: 'master',
    databaseType: 'sqLite',
    databaseVersion: '3.50.4',
    migrationVersion: 43,
    runtimeVersion: '8.0.12',
    runtimeName: 'netcore',
    authentication: authentication === 'disabled-for-local-addresses' ? 'forms' : authentication,
    urlBase,
    startTime: dateText(STARTED),
    packageUpdateMechanism: 'builtIn',
  };
}

/** GET /initialize.json: what its pages need, with the key. */
export function initialization({ apiKey, urlBase }: Prowlarr): unknown {
  return {
    apiRoot: `${urlBase}/api/v1`,
    apiKey,
    release: `${VERSION}-master`,
    version: VERSION,
    instanceName: 'Prowlarr',
    theme: 'auto',
    branch: 'master',
    analytics: false,
    userHash: 'c769f566',
    urlBase,
    isProduction: true,
  };
}

/** GET /api/v1/indexerstatus: who rests; why is not told. */
export const cooldownResources = ({ cooldowns: rests }: Prowlarr): unknown[] =>
  rests.all().map(({ indexerId, until, latestFailure, firstFailure }) => ({
    indexerId,
    disabledTill: dateText(until),
    mostRecentFailure: dateText(latestFailure),
    initialFailure: dateText(firstFailure),
  }));

/** GET /api/v1/health: names of indexers that rest, some seconds later, and of those whose account has ended. */
export function healthResources({ indexers, cooldowns: rests, times, now }: Prowlarr): unknown[] {
  const enabled = indexers.filter(({ enable }) => enable);
  const told = now() - times.untilHealth;
  const resting = enabled.filter(({ id }) => (rests.of(id)?.latestFailure ?? Infinity) <= told);
  const expired = enabled.filter(({ vipExpiration }) => Date.parse(vipExpiration) < now());
  const names = (all: typeof enabled) => all.map(({ name }) => name).join(', ');
  const wiki = 'https://wiki.servarr.com/prowlarr/system';
  return [
    resting.length > 0 && {
      source: 'IndexerStatusCheck',
      type: 'warning',
      message: `Indexers unavailable due to failures: ${names(resting)}`,
      wikiUrl: `${wiki}#indexers-are-unavailable-due-to-failures`,
    },
    expired.length > 0 && {
      source: 'IndexerVIPExpiredCheck',
      type: 'error',
      message: `Indexer VIP benefits have expired: ${names(expired)}`,
      wikiUrl: `${wiki}#indexer-vip-benefits-expired`,
    },
  ].filter((each) => each !== false);
}
