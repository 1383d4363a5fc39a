import { SlipstreamError } from '../../../errors/index.ts';
import { registerLogin } from '../../../log/index.ts';

/** A folder as the media centre opens it. */
export interface PlayerFolder {
  /** Without a separator at its end, but for a root. */
  readonly path: string;
  readonly separator: '/' | '\\';
  /** The file server that has to speak before the folder is opened; absent for a path of this machine. */
  readonly server?: FileServer;
}

export interface FileServer {
  readonly protocol: 'smb' | 'nfs';
  readonly host: string;
  /** As the address says; absent: the protocol's own. */
  readonly port?: number;
}

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)?$/i;
const WINDOWS = /^(?:[a-z]:(?:[\\/]|$)|\\\\[^\\/]+)/i;

/**
 * Reads a folder as the person entered it.
 * @throws INVALID_REQUEST for what the media centre cannot open, and for an address with a user or password in it: those
 *   belong into the media centre's own store.
 */
export function parsePlayerFolder(text: string): PlayerFolder {
  const address = ADDRESS.exec(text.trim());
  if (address === null) return localFolder(text.trim());
  const [, protocol = '', authority = '', path = ''] = address;
  const at = authority.lastIndexOf('@');
  if (at >= 0) throw withLogin(protocol, authority.slice(0, at));
  const kind = protocol.toLowerCase();
  if (kind !== 'smb' && kind !== 'nfs') throw unknownKind(`${protocol}://`);
  const segments = decoded(path)
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw leadsUpwards();
  return {
    path: [`${kind}://${authority}`, ...segments].join('/'),
    separator: '/',
    server: { protocol: kind, ...hostAndPort(kind, authority) },
  };
}

function localFolder(text: string): PlayerFolder {
  const isWindows = WINDOWS.test(text);
  if (!isWindows && !text.startsWith('/')) throw unknownKind('what is no full path');
  const separator = isWindows ? '\\' : '/';
  const path = isWindows ? text.replaceAll('/', separator) : text;
  if (path.split(separator).includes('..')) throw leadsUpwards();
  const trimmed = path.replace(/[\\/]+$/, '');
  const host = /^\\\\([^\\]+)/.exec(path)?.[1];
  return {
    // "/" and "C:\" are the roots themselves.
    path: trimmed === '' || /^[a-z]:$/i.test(trimmed) ? trimmed + separator : trimmed,
    separator,
    ...(host !== undefined && { server: { protocol: 'smb', host } }),
  };
}

function hostAndPort(protocol: string, authority: string): Pick<FileServer, 'host' | 'port'> {
  const url = URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`) : undefined;
  if (url === undefined || url.hostname === '')
    throw invalid(
      `The folder has no server in its ${protocol}:// address.`,
      `Write it as ${protocol}://server/folder.`,
    );
  // A URL drops the port that http itself would have.
  const port = Number(/:(\d{1,5})$/.exec(authority)?.[1] ?? 0);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return port === 0 ? { host } : { host, port };
}

/** An address that was copied somewhere may be encoded; the media centre takes names as they are, and encodes them itself. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * The folder or file that lies so far below a folder.
 * @returns undefined when a name could not be told from a path there
 */
export function pathInside({ path, separator }: PlayerFolder, parts: readonly string[]): string | undefined {
  // The media centre takes a backslash in an address for a slash.
  const isPath = (part: string) =>
    part === '..' || part === '.' || part.includes('/') || (part.includes('\\') && !path.startsWith('/'));
  if (parts.some(isPath)) return undefined;
  return parts.length === 0
    ? path
    : (path.endsWith(separator) ? path : path + separator) + parts.join(separator);
}

const invalid = (what: string, next: string, detail?: string) =>
  new SlipstreamError('INVALID_REQUEST', { what, next }, detail === undefined ? {} : { detail });

function withLogin(protocol: string, login: string): SlipstreamError {
  registerLogin(login);
  return invalid(
    `The ${protocol}:// address of a folder holds a user or password.`,
    'Take them out, and enter them in Kodi: Settings, File manager, Add source, browse to the share once, and let Kodi remember them.',
  );
}

const unknownKind = (found: string) =>
  invalid(
    `The folder of finished downloads cannot be opened by ${found}.`,
    'Enter a full path of this device, smb://server/share/folder or nfs://server/folder.',
  );

const leadsUpwards = () => invalid('A folder holds "..".', 'Write the folder without it.');
