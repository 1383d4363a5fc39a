import type { RangedReader } from './ranged-reader.ts';

const PAGE = 64 * 1024;
/** Pages that are kept: what is walked through is near, what is read through is read once. */
const MAX_PAGES = 8;

/** The same file, read by pages: many small reads near each other cost one. At most 512 KiB are held. */
export function pagedReader(file: RangedReader): RangedReader {
  const pages = new Map<number, Uint8Array>();
  const page = async (index: number, signal: AbortSignal): Promise<Uint8Array> => {
    const last = Math.min((index + 1) * PAGE, file.size) - 1;
    const bytes = pages.get(index) ?? (await file.read(index * PAGE, last, signal));
    pages.delete(index);
    pages.set(index, bytes);
    for (const oldest of pages.keys()) if (pages.size > MAX_PAGES) pages.delete(oldest);
    return bytes;
  };
  return {
    size: file.size,
    read: async (first, last, signal) => {
      const bytes = Buffer.alloc(last - first + 1);
      for (let at = first; at <= last; ) {
        const index = Math.floor(at / PAGE);
        const part = (await page(index, signal)).subarray(at - index * PAGE, last + 1 - index * PAGE);
        if (part.length === 0) throw new RangeError(`no byte ${at} in ${file.size}`);
        bytes.set(part, at - first);
        at += part.length;
      }
      return bytes;
    },
  };
}
