import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { YieldToLoop } from '../../io/wait.ts';
import { scanLargeXml, XmlError, type XmlHandlers } from '../../io/xml.ts';

/** What nzbdav takes at the most, and ten times the NZB of the largest posts (protocols.md §1.1). */
export const MAX_NZB_BYTES = 100 * 1024 * 1024;
/** A segment takes some 80 bytes of the document, and 90 of a heap that may have no more than 192 MB. */
const MAX_ELEMENTS = 1_000_000;
/** nzb, file, segments, segment; more is no NZB. */
const MAX_DEPTH = 16;
const LIMITS = { bytes: MAX_NZB_BYTES, elements: MAX_ELEMENTS, depth: MAX_DEPTH };

/** What arrived in the place of an NZB. */
export type NzbDocument =
  | { readonly kind: 'nzb'; readonly files: number; readonly segments: number }
  /** An indexer's own error document. */
  | { readonly kind: 'error'; readonly code: number; readonly description: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'html' }
  /** Anything else, and an NZB that breaks off. */
  | { readonly kind: 'broken'; readonly detail: string };

/**
 * Tells what a document is, in one pass and without keeping it.
 * @param reader Hears everything below the root of an NZB; what it heard of one that breaks off is worth nothing.
 * @throws as giveWay
 */
export async function readNzbDocument(
  bytes: Uint8Array,
  giveWay: YieldToLoop,
  reader: XmlHandlers = {},
): Promise<NzbDocument> {
  if (isBlank(bytes)) return { kind: 'empty' };
  const scan: { root?: string; error?: NzbDocument | undefined; files: number; segments: number } = {
    files: 0,
    segments: 0,
  };
  const open: XmlHandlers['open'] = (tag) => {
    const { name, attributes } = tag;
    if (scan.root === undefined) {
      scan.root = name.toLowerCase();
      scan.error = errorDocument(scan.root, attributes);
      if (scan.root !== 'nzb') throw new StopScan();
    }
    if (name === 'file') scan.files++;
    else if (name === 'segment') scan.segments++;
    reader.open?.(tag);
  };
  try {
    await scanLargeXml(bytes, { ...reader, open }, LIMITS, giveWay);
  } catch (error) {
    if (error instanceof XmlError && scan.root === undefined && looksLikeHtml(bytes)) return { kind: 'html' };
    if (error instanceof XmlError) return { kind: 'broken', detail: error.message };
    if (!(error instanceof StopScan)) throw error;
  }
  if (scan.error !== undefined) return scan.error;
  if (scan.root === 'html') return { kind: 'html' };
  if (scan.root !== 'nzb') return { kind: 'broken', detail: 'the root is not "nzb"' };
  if (scan.files === 0 || scan.segments === 0)
    return { kind: 'broken', detail: `${scan.files} files, ${scan.segments} segments` };
  return { kind: 'nzb', files: scan.files, segments: scan.segments };
}

/** Ends a scan whose rest does not matter. */
class StopScan extends Error {}

function errorDocument(root: string, attributes: ReadonlyMap<string, string>): NzbDocument | undefined {
  if (root !== 'error') return undefined;
  return {
    kind: 'error',
    code: Number(attributes.get('code') ?? Number.NaN),
    description: attributes.get('description') ?? '',
  };
}

/** Many a login page is no XML from its first line on. */
const looksLikeHtml = (bytes: Uint8Array) =>
  /<(?:!doctype html|html|head|body)[\s>]/i.test(Buffer.from(bytes.subarray(0, 2048)).toString('latin1'));

const isBlank = (bytes: Uint8Array) =>
  bytes.length < 1024 && Buffer.from(bytes).toString('latin1').trim() === '';

const unzip = promisify(gunzip);

/**
 * Some indexers send the NZB as a gzip file. Anything else comes back as it is.
 * @throws the zlib's error when the file is damaged or grows beyond MAX_NZB_BYTES
 */
export async function gunzipIfNeeded(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  return new Uint8Array(await unzip(bytes, { maxOutputLength: MAX_NZB_BYTES }));
}
