import { SlipstreamError } from '../errors/index.ts';
import { decodePercent } from '../io/percent-decode.ts';
import { mimeByContent, mimeByName } from './mime.ts';

/**
 * What Kodi makes of an address that it opens by itself: by its ending it may be a list, whose entries may start any
 * add-on (kodi.md §3.5). Pure.
 */
export type UrlExtension =
  /** That of a video. */
  | { readonly kind: 'video'; readonly mime: string }
  /** None that means anything: the content tells. */
  | { readonly kind: 'none' }
  /** Anything else, without its dot. */
  | { readonly kind: 'other'; readonly extension: string };

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
/** A resolution stands last in many a release's name. */
const RESOLUTION_SUFFIX = /^\d{3,4}[ip]$/i;

/** @param address A path, or a URL. */
export function urlExtensionOf(address: string): UrlExtension {
  const endings = possibleFileNames(address).map(extensionOfName);
  return (
    endings.find(({ kind }) => kind === 'other') ??
    endings.find(({ kind }) => kind === 'none') ??
    endings[0] ??
    NONE
  );
}

/** How the last part of a path can be read: Kodi ends a URL's path also where options may begin, and decodes some. */
function possibleFileNames(address: string): readonly string[] {
  if (!SCHEME.test(address)) return [lastOf(address)];
  const path = address.replace(/[?#].*$/s, '');
  return [path, path.replace(/[;|].*$/s, '')].flatMap((each) => [lastOf(each), lastOf(decodePercent(each))]);
}

const lastOf = (path: string): string => path.split(/[\\/]/).at(-1) ?? '';

const NONE: UrlExtension = { kind: 'none' };

function extensionOfName(name: string): UrlExtension {
  const ending = /\.([a-z\d]{1,12})\s*$/i.exec(name)?.[1];
  const mime = mimeByName(name);
  if (mime !== undefined) return { kind: 'video', mime };
  return ending === undefined || RESOLUTION_SUFFIX.test(ending) ? NONE : { kind: 'other', extension: ending };
}

/**
 * The MIME type that Kodi is told of an address that it opens by itself, so that it looks no further.
 * @param head The file's first bytes, which an address without an ending needs.
 * @throws NO_VIDEO where Kodi would, or might, take it for something else
 */
export function mimeForPlayer(address: string, head: Uint8Array = NOTHING): string {
  const ending = urlExtensionOf(address);
  if (ending.kind === 'other') throw noVideoError(`its address ends in ".${ending.extension}"`);
  const mime = mimeByContent(head) ?? (ending.kind === 'video' ? ending.mime : undefined);
  if (mime === undefined) throw noVideoError('neither its address nor its first bytes tell of one');
  return mime;
}

const NOTHING = new Uint8Array();

const noVideoError = (why: string) =>
  new SlipstreamError('NO_VIDEO', {
    what: `The stream is not known to be a video: ${why}.`,
    next: 'Choose another release.',
  });
