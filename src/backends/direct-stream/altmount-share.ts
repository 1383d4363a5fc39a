import type { Check } from '../../diagnosis/check.ts';
import { asSlipstreamError, SlipstreamError } from '../../errors/index.ts';
import type { Logger } from '../../log/index.ts';
import type { SabApi } from '../sabnzbd/api.ts';
import { webdavHeaders } from '../webdav/config.ts';
import { type DavShare, listFolder } from '../webdav/dav-client.ts';
import { ALTMOUNT, NO_FOLDERS, type ServerFolders } from '../webdav/dialect/index.ts';
import { readServerFolders } from '../webdav/folders.ts';
import { filesRemover } from '../webdav/remove-files.ts';
import type { DirectStreamConfig } from './config.ts';
import type { DirectStreamTimings } from './timings.ts';

/** Where AltMount files an order that names no category (protocols.md §8.12). */
const DEFAULT_CATEGORY = 'stremio';
/** Its own folder of what is finished, where its settings cannot be asked. */
const DEFAULT_FOLDERS: ServerFolders = { ...NO_FOLDERS, complete: ['complete'] };

/** AltMount's share; undefined: the person has not entered both its user and its password. */
export function shareOf(
  { webdav }: DirectStreamConfig,
  {
    name,
    base,
    times,
  }: { readonly name: string; readonly base: string; readonly times: DirectStreamTimings },
): DavShare | undefined {
  if (webdav === undefined || webdav.username === '' || webdav.password === '') return undefined;
  return {
    url: `${base}/webdav`,
    headers: webdavHeaders(webdav),
    timeout: times.request,
    owner: name,
    who: `The WebDAV of ${name}`,
  };
}

/**
 * Deletes what a job has left in the share: its folder, where that is called by our unique name, and nothing else. What
 * cannot be deleted stays, and the log tells. A server that does not tell its folders, for whatever reason that does not
 * pass, is taken to have the usual ones. @throws what passes: it may be tried again; the signal's reason when it aborts
 */
export async function deleteLeftovers(
  share: DavShare,
  api: SabApi,
  { name, category = '' }: { readonly name: string; readonly category?: string },
  { signal, log }: { readonly signal: AbortSignal; readonly log: Logger },
): Promise<void> {
  const server = { dialect: ALTMOUNT, share: () => share };
  const ask = readServerFolders(server, api);
  const folders = (until: AbortSignal) =>
    ask(until).catch((error: unknown) => {
      until.throwIfAborted();
      if (error instanceof SlipstreamError && error.transient) throw error;
      log.info(`${share.owner} does not tell its folders: ${asSlipstreamError(error).message}`);
      return DEFAULT_FOLDERS;
    });
  const job = { id: '', category: category === '' ? DEFAULT_CATEGORY : category };
  await filesRemover(server, folders, log)(job, name, signal);
}

/** That the share takes the login. Without it each play works, so that whatever is wrong with it is only noted. */
export async function checkShare(share: DavShare, signal: AbortSignal): Promise<readonly Check[]> {
  const what = share.who;
  try {
    if ((await listFolder(share, [], signal)) === undefined) throw shareMissingError(share);
    return [{ what, found: 'takes the user and password' }];
  } catch (error) {
    signal.throwIfAborted();
    return [{ what, failure: asSlipstreamError(error), isNote: true, setting: 'direct_webdav_password' }];
  }
}

const shareMissingError = ({ owner, who }: DavShare) =>
  new SlipstreamError(
    'BAD_ANSWER',
    {
      what: `${who} is not there, so what failed plays leave in ${owner} stays.`,
      next: `Let the reverse proxy pass /webdav to ${owner} as well, or leave the WebDAV password empty.`,
    },
    { detail: 'HTTP 404' },
  );
