import type { Faults } from '../faults.ts';
import type { Answer, Handler, ServiceName } from '../http/types.ts';
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

/** The backend: API, WebDAV, and the web interface's login in front of everything else. */
export function nzbdav(options: NzbdavOptions): Handler {
  const answerApi = api(options);
  const answerDav = dav(options);
  return (request) => {
    if (classify(request.path) === 'api') return answerApi(request);
    const webdav = ['PROPFIND', 'OPTIONS'].includes(request.method) || FORWARDED.test(request.path);
    return webdav ? answerDav(request) : webInterface(request.path);
  };
}

export function classify(path: string): ServiceName {
  return path === '/api' || path.startsWith('/api/') ? 'api' : 'webdav';
}

export function refuseKey(service: ServiceName): Answer {
  return service === 'api' ? wrongApiKey() : wrongPassword();
}

function webInterface(path: string): Answer {
  if (path !== '/login') return { status: 302, headers: { location: '/login' } };
  const body = '<!DOCTYPE html><html><head><title>NzbDav</title></head><body>Log in</body></html>';
  return { status: 200, headers: { 'content-type': 'text/html' }, body };
}
