import type { Faults } from '../faults.ts';
import type { Answer, Handler, Incoming, ServiceName } from '../http/types.ts';
import { altmountApi, altmountWrongKey } from './altmount.ts';
import { api, wrongApiKey } from './api.ts';
import { dav, wrongPassword } from './dav.ts';
import type { Dialect } from './dialect.ts';
import type { JobStore } from './jobs.ts';

export interface NzbdavOptions {
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  readonly dialect: Dialect;
  readonly jobs: JobStore;
  readonly faults: Faults;
}

/** What nzbdav's front end passes on; all else is its web interface. */
const FORWARDED = /^\/(api|view|\.ids|nzbs|content|completed-symlinks)(\/|$)/;
const SHARED = /^\/webdav(\/|$)/;

/** The backend: API, WebDAV, and the web interface in front of everything else. */
export function nzbdav(options: NzbdavOptions): Handler {
  const { dialect } = options;
  const isAltmount = dialect.family === 'altmount';
  const answerApi = isAltmount ? altmountApi(options) : api(options);
  const answerDav = dav(options);
  return (request) => {
    if (classify(request.path, dialect) === 'api') return answerApi(request);
    const methods = isAltmount ? [] : ['PROPFIND', 'OPTIONS'];
    const webdav = methods.includes(request.method) || (isAltmount ? SHARED : FORWARDED).test(request.path);
    return webdav ? answerDav(request) : webInterface(request, dialect);
  };
}

export function classify(path: string, { apiPath }: Dialect): ServiceName {
  return path === apiPath || path.startsWith(`${apiPath}/`) ? 'api' : 'webdav';
}

export function refuseKey(service: ServiceName, { family }: Dialect): Answer {
  if (service !== 'api') return wrongPassword();
  return family === 'altmount' ? altmountWrongKey() : wrongApiKey();
}

/** AltMount's is one page for every path that is read; nzbdav's sends everybody to its login. */
function webInterface({ path, method }: Incoming, { family }: Dialect): Answer {
  if (family === 'altmount' && method !== 'GET') return { status: 404 };
  if (family === 'nzbdav' && path !== '/login') return { status: 302, headers: { location: '/login' } };
  const name = family === 'altmount' ? 'AltMount' : 'NzbDav';
  const body = `<!DOCTYPE html><html><head><title>${name}</title></head><body>Log in</body></html>`;
  return { status: 200, headers: { 'content-type': 'text/html' }, body };
}
