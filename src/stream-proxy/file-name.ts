import { extensionForMime, mimeByName } from '../media/mime.ts';

/**
 * The name at the end of a stream's path: the file's own, without folders. The player chooses by the extension, so a
 * name that has none of a video gets the one of its content. Pure.
 */
export function streamFileName(name: string, mime: string): string {
  const own = (name.split(/[\\/]/).at(-1) ?? '')
    .replace(/\p{Cc}/gu, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim();
  const base = /^\.*$/.test(own) ? 'video' : own;
  const extension = extensionForMime(mime);
  return mimeByName(base) === undefined && extension !== undefined ? `${base}.${extension}` : base;
}
