import type { AddonPackage, Files } from '../files.ts';
import { childrenOf, descendants, type Element } from './element.ts';

const ICON_SIZES = ['256x256', '512x512'];
/** Kodi's repository takes 3840x2160 as well, which costs a small box 32 MB of memory to show. */
const FANART_SIZES = ['1280x720', '1920x1080'];

interface Png {
  readonly size: string;
  readonly isOpaque: boolean;
}

/** The pictures: declared, there, readable, of a size that Kodi wants; nothing shines through an icon. */
export function imageFaults({ files }: AddonPackage, addon: Element): string[] {
  const assets = descendants(addon).filter(({ name }) => name === 'assets');
  const named = (kind: string) => assets.flatMap((asset) => childrenOf(asset, kind)).map(({ text }) => text);
  const unreadable = [...files].filter(
    ([path, { content }]) => path.endsWith('.png') && readPng(content) === undefined,
  );
  return [
    ...(named('icon').length === 1 ? [] : ['<assets> must name one <icon>']),
    ...named('icon').flatMap((path) => iconFaults(files, path)),
    ...named('fanart').flatMap((path) => sizeFaults(files, path, FANART_SIZES)),
    ...unreadable.map(([path]) => `${path} is no PNG`),
  ];
}

function iconFaults(files: Files, path: string): string[] {
  const png = readPng(files.get(path)?.content ?? new Uint8Array());
  const isOpaque = png?.isOpaque ?? true;
  return [...sizeFaults(files, path, ICON_SIZES), ...(isOpaque ? [] : [`${path} is transparent`])];
}

function sizeFaults(files: Files, path: string, sizes: readonly string[]): string[] {
  const file = files.get(path);
  if (file === undefined) return [`${path} is named but not there`];
  const png = readPng(file.content);
  if (png === undefined) return [`${path} must be a PNG`];
  return sizes.includes(png.size) ? [] : [`${path} is ${png.size}, not ${sizes.join(' or ')}`];
}

const SIGNATURE = '89504e470d0a1a0a';
/** Where the first chunk's fields lie, and where the second chunk begins. */
const IHDR = { name: 12, width: 16, height: 20, colours: 25, end: 33 } as const;
const COLOURS_WITH_ALPHA = new Set([4, 6]);
const CHUNK_OVERHEAD = 12;

/** Size and transparency, as the chunks before the pixels say; undefined for what is no PNG. */
function readPng(content: Uint8Array): Png | undefined {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  if (bytes.length < IHDR.end || bytes.toString('hex', 0, 8) !== SIGNATURE) return undefined;
  if (bytes.toString('latin1', IHDR.name, IHDR.width) !== 'IHDR') return undefined;
  let hasPixels = false;
  let isOpaque = !COLOURS_WITH_ALPHA.has(bytes.readUInt8(IHDR.colours));
  for (
    let at = IHDR.end;
    at + CHUNK_OVERHEAD <= bytes.length;
    at += bytes.readUInt32BE(at) + CHUNK_OVERHEAD
  ) {
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'tRNS') isOpaque = false;
    if (kind === 'IDAT') hasPixels = true;
  }
  if (!hasPixels) return undefined;
  return { size: `${bytes.readUInt32BE(IHDR.width)}x${bytes.readUInt32BE(IHDR.height)}`, isOpaque };
}
