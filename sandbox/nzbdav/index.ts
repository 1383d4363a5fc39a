import type { Faults } from '../faults.ts';
import type { Answer, Handler, Incoming, ServiceName } from '../http/types.ts';
import type { Provider } from '../provider/index.ts';
import { altmountApi, altmountWrongKey } from './altmount.ts';
import { altmountDav, altmountWrongLogin } from './altmount-dav.ts';
import { api } from './api.ts';
import { wrongApiKey } from './api-answers.ts';
import { dav, wrongPassword } from './dav.ts';
import type { Dialect } from './dialect.ts';
import { forwardedAnswer, frontEndOnlyAnswer, webInterface } from './front-end.ts';
import type { JobStore } from './jobs.ts';

export interface NzbdavOptions {
  readonly apiKey: string;
  readonly username: string;
  readonly password: string;
  readonly dialect: Dialect;
  readonly jobs: JobStore;
  readonly faults: Faults;
  readonly hosts: ReadonlyMap<string, string>;
  readonly provider?: Provider | undefined;
  /** As Dialect.settles; absent: 0. */
  readonly settles?: number;
}

/** The backend: API, WebDAV, and the web interface in front of everything else. */
export function nzbdav(options: NzbdavOptions): Handler {
  const { dialect, faults } = options;
  const { answerApi, answerDav } = serverOf(options);
  return async (request) => {
    const service = serviceOf(request, dialect);
    if (service === 'web') return webInterface(request, dialect);
    if (faults.gateway === 'alone') return frontEndOnlyAnswer(request, dialect);
    return forwardedAnswer(service === 'api' ? await answerApi(request) : answerDav(request), dialect);
  };
}

/** What nzbdav's own port answers, behind its front end: the share is everywhere beside the API. */
export function nzbdavAlone(options: NzbdavOptions): Handler {
  const { answerApi, answerDav } = serverOf(options);
  return (request) =>
    classify(request.path, options.dialect) === 'api' ? answerApi(request) : answerDav(request);
}

function serverOf(options: NzbdavOptions) {
  return options.dialect.family === 'altmount'
    ? {
        answerApi: altmountApi({ ...options, settles: options.settles ?? 0 }),
        answerDav: altmountDav(options),
      }
    : { answerApi: api(options), answerDav: dav(options) };
}

/** What nzbdav's front end passes on; all else is its web interface. */
const FORWARDED = /^\/(api|view|\.ids|nzbs|content|completed-symlinks)(\/|$)/;
const SHARED = /^\/webdav(\/|$)/;

function serviceOf({ path, method }: Incoming, dialect: Dialect): 'api' | 'dav' | 'web' {
  if (classify(path, dialect) === 'api') return 'api';
  if (dialect.family === 'altmount') return SHARED.test(path) ? 'dav' : 'web';
  return ['PROPFIND', 'OPTIONS'].includes(method) || FORWARDED.test(path) ? 'dav' : 'web';
}

export function classify(path: string, { apiPath }: Dialect): ServiceName {
  return path === apiPath || path.startsWith(`${apiPath}/`) ? 'api' : 'webdav';
}

export function refuseKey(service: ServiceName, dialect: Dialect): Answer {
  if (dialect.family === 'altmount') return service === 'api' ? altmountWrongKey() : altmountWrongLogin();
  return forwardedAnswer(service === 'api' ? wrongApiKey(dialect) : wrongPassword(), dialect);
}
