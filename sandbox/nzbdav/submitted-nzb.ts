import { SaxesParser } from 'saxes';

/** What the backend reads in an NZB that was submitted. */
export interface SubmittedNzb {
  /** The guid of the release that was posted; undefined: of none that the sandbox makes. */
  readonly guid: string | undefined;
  /** By number of the file: the numbers of the segments that it lists, as they stand in the document. */
  readonly segments: ReadonlyMap<number, readonly number[]>;
  /** By number of the file: what its subject calls it. */
  readonly names: ReadonlyMap<number, string>;
  /** The first message id; undefined: it lists none. */
  readonly firstId: string | undefined;
  /** Bytes of all its articles. */
  readonly bytes: number;
  readonly password: string | undefined;
}

const MESSAGE_ID = /(\d+)\.(\d+)\.([0-9a-f-]{36})@sandbox\.invalid/g;

export function parseNzb(nzb: string): SubmittedNzb {
  const segments = new Map<number, number[]>();
  let guid: string | undefined;
  for (const [, file, segment, mark] of nzb.matchAll(MESSAGE_ID)) {
    guid ??= mark;
    const listed = segments.get(Number(file));
    if (listed === undefined) segments.set(Number(file), [Number(segment)]);
    else listed.push(Number(segment));
  }
  const names = new Map<number, string>();
  for (const element of nzb.split('<file ').slice(1)) {
    const name = /subject="[^"]*&quot;([^"]*?)&quot;/.exec(element)?.[1];
    const number = /(\d+)\.\d+\.[0-9a-f-]{36}@sandbox/.exec(element)?.[1];
    if (name !== undefined && number !== undefined) names.set(Number(number), plain(name));
  }
  const sizes = [...nzb.matchAll(/<segment\b[^>]*\bbytes="(\d+)"/g)];
  return {
    guid,
    segments,
    names,
    firstId: /<segment\b[^>]*>([^<]+)</.exec(nzb)?.[1],
    bytes: sizes.reduce((sum, [, size]) => sum + Number(size), 0),
    password: /<meta type="password">([^<]*)</.exec(nzb)?.[1],
  };
}

const PLAIN: Record<string, string> = { apos: "'", lt: '<', gt: '>', amp: '&' };

const plain = (text: string) => text.replace(/&(apos|lt|gt|amp);/g, (_, name: string) => PLAIN[name] ?? '');

/** An NZB as far as anybody reads it: tests fill theirs up with comments of many megabytes. */
export const withoutComments = (nzb: string): string => nzb.replace(/<!--.*?-->/gs, '');

/** What .NET's reader says of a document that is not well-formed; undefined: nothing, it takes any other. */
export function xmlError(text: string): string | undefined {
  if (text.trim() === '') return 'Root element is missing.';
  if (!text.trimStart().startsWith('<')) return 'Data at the root level is invalid. Line 1, position 1.';
  const open: string[] = [];
  const errors: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', ({ message }) => errors.push(message));
  parser.on('opentag', ({ name }) => open.push(name));
  parser.on('closetag', () => open.pop());
  parser.write(text);
  if (errors.length > 0) return 'An error occurred while parsing EntityName. Line 1, position 1.';
  if (open.length > 0)
    return `Unexpected end of file has occurred. The following elements are not closed: ${open.toReversed().join(', ')}. Line 1, position 1.`;
  return undefined;
}
