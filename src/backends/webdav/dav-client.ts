import { ENTER_BOTH, SlipstreamError } from '../../errors/index.ts';
import { badAnswer, fetchBounded } from '../../io/http.ts';
import { type HttpResponse } from '../../io/http-answer.ts';
import { decodePercent } from '../../io/percent-decode.ts';
import { YIELD_INTERVAL_MS, type YieldToLoop, yieldEvery } from '../../io/wait.ts';
import { parseLargeXml, type XmlElement, XmlError } from '../../io/xml.ts';
import type { FolderEntry } from '../job/list-files.ts';
import { serverFaultOf } from '../refusals.ts';

export interface DavShare {
  /** Without a slash at the end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** What messages call the server, and its share. */
  readonly owner: string;
  readonly who: string;
}

/** The share does not know this user with this password. */
export class LoginRefused extends SlipstreamError {}

const MAX_LISTING_BYTES = 8 * 1024 * 1024;
const DAV = 'DAV:';

export const encodePath = (segments: readonly string[]): string => segments.map(encodeURIComponent).join('/');

/**
 * Lists one folder by PROPFIND. The depth is always sent: nzbdav takes its absence for "everything" (protocols.md §2.3).
 * @returns undefined when there is no such folder
 * @throws AUTH_FAILED, UNREACHABLE, TIMEOUT, BAD_ANSWER, TOO_LARGE, SERVICE_ERROR
 */
export async function listFolder(
  share: DavShare,
  folder: readonly string[],
  signal: AbortSignal,
): Promise<FolderEntry[] | undefined> {
  const answer = await fetchBounded({
    url: `${share.url}/${folder.length === 0 ? '' : `${encodePath(folder)}/`}`,
    who: share.who,
    method: 'PROPFIND',
    headers: { ...share.headers, depth: '1' },
    signal,
    timeout: share.timeout,
    maxBytes: MAX_LISTING_BYTES,
  });
  if (answer.status === 404) return undefined;
  checkStatus(share, answer);
  const giveWay = yieldEvery(YIELD_INTERVAL_MS, signal);
  const entries: FolderEntry[] = [];
  for (const response of await responsesOf(share, answer, giveWay)) {
    const entry = readEntry(response, folder);
    if (entry !== undefined) entries.push(entry);
    await giveWay();
  }
  return entries;
}

/**
 * Deletes a folder with all that is in it; one that is not there is fine.
 * @throws AUTH_FAILED, UNREACHABLE, TIMEOUT, BAD_ANSWER, SERVICE_ERROR
 */
export async function deleteFolder(
  share: DavShare,
  folder: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { url, who, headers, timeout } = share;
  const request = { who, method: 'DELETE', headers, signal, timeout };
  const answer = await fetchBounded({ ...request, url: `${url}/${encodePath(folder)}/` });
  if (answer.status !== 404) checkStatus(share, answer);
}

function checkStatus({ who, owner }: DavShare, answer: HttpResponse): void {
  const { status } = answer;
  if (status === 207 || status === 200 || status === 204) return;
  const detail = `HTTP ${status}`;
  const login = `Copy both from the settings of ${owner}, WebDAV; the password is not the API key. ${ENTER_BOTH}`;
  if (status === 401)
    throw new LoginRefused(
      'AUTH_FAILED',
      { what: `${who} refused the user or password.`, next: login },
      { detail },
    );
  if (status === 403)
    throw new SlipstreamError(
      'AUTH_FAILED',
      {
        what: `${who} does not let this user in: the account has expired or may not read the files.`,
        next: login,
      },
      { detail },
    );
  throw serverFaultOf(who, answer, { owner }) ?? badAnswer(who, `no WebDAV there, ${detail}`);
}

async function responsesOf(
  { who }: DavShare,
  answer: HttpResponse,
  giveWay: YieldToLoop,
): Promise<readonly XmlElement[]> {
  try {
    const root = await parseLargeXml(answer.body, { bytes: MAX_LISTING_BYTES }, giveWay);
    if (root.name !== 'multistatus') throw badAnswer(who, `a listing that begins with "${root.name}"`);
    return root.children.filter((child) => child.name === 'response' && child.namespace === DAV);
  } catch (error) {
    if (error instanceof XmlError) throw badAnswer(who, error.message, error);
    throw error;
  }
}

/** @returns undefined for the folder itself and for what does not lie directly in it */
function readEntry(response: XmlElement, folder: readonly string[]): FolderEntry | undefined {
  const href = response.children.find((child) => child.name === 'href')?.text ?? '';
  const name = nameBelow(folder, href);
  if (name === undefined) return undefined;
  const props = response.children
    .filter((child) => child.name === 'propstat')
    .flatMap((propstat) => propstat.children.filter((child) => child.name === 'prop'))
    .flatMap((prop) => prop.children);
  const isFolder =
    href.endsWith('/') ||
    props.some(
      (prop) => prop.name === 'resourcetype' && prop.children.some((type) => type.name === 'collection'),
    );
  const length = props.find((prop) => prop.name === 'getcontentlength')?.text ?? '';
  return isFolder || !/^\d{1,15}$/.test(length)
    ? { name, isFolder }
    : { name, isFolder, size: Number(length) };
}

/**
 * The name that `href` has directly inside of `folder`. Servers behind proxies name hosts and leading paths of their own
 * (protocols.md §2.3), so only the end of the path counts; what points elsewhere is nobody's business here.
 */
export function nameBelow(folder: readonly string[], href: string): string | undefined {
  const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodePercent);
  // A relative reference counts from the folder itself.
  const full = path.startsWith('/') ? segments : [...folder, ...segments];
  const name = full.at(-1);
  if (name === undefined || !isPlainName(name) || full.length <= folder.length) return undefined;
  const parent = full.slice(-1 - folder.length, -1);
  return parent.every((segment, i) => sameName(segment, folder[i])) ? name : undefined;
}

const sameName = (a: string, b: string | undefined) => a.normalize('NFC') === b?.normalize('NFC');

/** A name that is no path and leads nowhere else. */
const isPlainName = (name: string) => name !== '.' && name !== '..' && !/[/\\\u0000]/.test(name);
