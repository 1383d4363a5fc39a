import type { StepFailure } from '../../diagnosis/index.ts';
import { ENTER_IT, SlipstreamError } from '../../errors/index.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import type { WebdavConfig } from './config.ts';
import type { WebdavServer } from './server.ts';

interface Login {
  readonly server: WebdavServer;
  readonly api: SabApi;
  readonly config: Pick<WebdavConfig, 'username' | 'password'>;
}

/** As nzbdav and InfiniDysk come, and as the settings begin. */
const USUAL_USER = 'admin';

/**
 * Whether the user or the password is wrong: InfiniDysk tells its user to whoever has its key, the others leave it open.
 * Rejects only when the signal aborts.
 */
export async function explainLogin(
  error: SlipstreamError,
  login: Login,
  signal: AbortSignal,
): Promise<StepFailure> {
  const { server, config } = login;
  const { who, owner } = server.share();
  const said = (what: string, next: string) =>
    new SlipstreamError(error.code, { what, next }, { cause: error, detail: error.message });
  const right = await declaredUser(login, signal);
  if (right !== undefined && right !== config.username)
    return {
      failure: said(`${who} has another user than ${named(config)}.`, `Enter ${right} as its user.`),
      setting: 'webdav_username',
      mend: fixFor(right, config),
    };
  const next = `Copy it from the settings of ${owner}, WebDAV; it is not the API key. ${ENTER_IT}`;
  if (config.password === '')
    return {
      failure: said(`${who} wants a password, and none is entered.`, next),
      setting: 'webdav_password',
    };
  if (right !== undefined)
    return { failure: said(`${who} refused the password.`, next), setting: 'webdav_password' };
  const unchanged = config.username === USUAL_USER ? ` (user ${USUAL_USER}, which you have not changed)` : '';
  return {
    failure: said(`${who} refused the user or password${unchanged}.`, error.explanation.next),
    setting: 'webdav_password',
    alsoLikely: ['webdav_username'],
  };
}

const fixFor = (value: string, { username }: Login['config']) => ({
  ...({ setting: 'webdav_username', value } as const),
  ...(username === USUAL_USER && { isUnasked: true as const }),
});

const named = ({ username }: Login['config']) => (username === '' ? 'none' : username);

/** Nothing of its answer, which may hold a key, is told where it makes no sense. */
async function declaredUser({ server, api }: Login, signal: AbortSignal): Promise<string | undefined> {
  if (!server.dialect.hasWarnings) return undefined;
  try {
    return (await api.webdavUser(signal)) ?? USUAL_USER;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
