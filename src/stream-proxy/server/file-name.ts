import { extensionForMime, mimeByName } from '../../media/mime.ts';

/** No file system takes a longer name (NAME_MAX), and no player needs one. Bytes of UTF-8. */
const MAX_NAME = 255;

/**
 * The name at the end of a stream's path: the file's own, without folders, of 255 bytes at most. The player chooses by
 * the extension, so a name that has none of a video gets the one of its content, or any, and a long name keeps it: by
 * another ending Kodi may take it for a list. Pure.
 */
export function streamFileName(name: string, mime: string): string {
  const own = lastPart(name);
  const base = /^\.*$/.test(own) ? 'video' : own;
  const dot = mimeByName(base) === undefined ? base.length : base.lastIndexOf('.');
  const extension = base.slice(dot) || `.${extensionForMime(mime) ?? 'mkv'}`;
  return truncateUtf8(base.slice(0, dot), MAX_NAME - extension.length) + extension;
}

/** A subtitle's name as a stem and an extension (lower case, with its dot); undefined when it has none. Pure. */
export function subtitleFileName(
  name: string,
): { readonly stem: string; readonly extension: string } | undefined {
  const [, stem = '', extension = ''] = /^(.+)(\.[a-z\d]{1,8})$/i.exec(lastPart(name)) ?? [];
  if (stem === '') return undefined;
  return { stem: truncateUtf8(stem, MAX_NAME - extension.length), extension: extension.toLowerCase() };
}

const lastPart = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '')
    .replace(/\p{Cc}/gu, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();

/** As many whole characters as fit into so many bytes. */
function truncateUtf8(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}
