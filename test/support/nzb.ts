/** NZBs as indexers write them. Everything in them is invented; the films are the Blender Foundation's. */
export interface WrittenFile {
  readonly subject: string;
  readonly poster?: string;
  readonly date?: string;
  readonly groups?: readonly string[];
  readonly segments: readonly WrittenSegment[];
}

export interface WrittenSegment {
  readonly id: string;
  readonly bytes?: number | undefined;
  readonly number?: number | undefined;
}

export interface WrittenMeta {
  readonly type: string;
  readonly text: string;
}

/** Bytes of a usual article, encoded. */
export const ARTICLE = 739_067;

export function nzbText(files: readonly WrittenFile[], metas: readonly WrittenMeta[] = []): string {
  const head = metas
    .map(({ type, text }) => `<meta type="${escape(type)}">${escape(text)}</meta>`)
    .join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd">
<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">
<head>${head}</head>
${files.map(fileText).join('\n')}
</nzb>
`;
}

export const nzbBytes = (...parts: Parameters<typeof nzbText>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(nzbText(...parts)));

/** A file of so many articles in order, the last one short. `name` stands in its subject as it is mostly written. */
export function postedFile(
  name: string,
  articles: number,
  { counter = '' }: { readonly counter?: string } = {},
): WrittenFile {
  return {
    subject: `${counter}"${name}" yEnc (1/${articles})`,
    segments: Array.from({ length: articles }, (_, at) =>
      segment(`${name}.${counter}${at + 1}`, at + 1, articles),
    ),
  };
}

function segment(stem: string, number: number, of: number): WrittenSegment {
  return {
    id: `${stem.replace(/[^\w.]/g, '')}@nzb.invalid`,
    bytes: number === of && of > 1 ? 123_456 : ARTICLE,
    number,
  };
}

/** 513 files of 222 articles each, 11 to 12 MB: the largest NZB of the public corpus . */
export function largeNzb(): Uint8Array<ArrayBuffer> {
  const files = Array.from({ length: 513 }, (_, at) => {
    const number = String(at + 1).padStart(3, '0');
    return postedFile(`Sintel.2010.2160p.REMUX.part${number}.rar`, 222, { counter: `[${number}/513] - ` });
  });
  return nzbBytes(files);
}

function fileText({
  subject,
  poster = 'poster@nzb.invalid (Poster)',
  date = '1735732800',
  groups = ['alt.binaries.test'],
  segments,
}: WrittenFile): string {
  return `<file poster="${escape(poster)}" date="${escape(date)}" subject="${escape(subject)}">
<groups>
${groups.map((group) => `<group>${escape(group)}</group>`).join('\n')}
</groups>
<segments>
${segments.map(segmentText).join('\n')}
</segments>
</file>`;
}

const segmentText = ({ id, bytes, number }: WrittenSegment) =>
  `<segment${attribute('bytes', bytes)}${attribute('number', number)}>${escape(id)}</segment>`;

const attribute = (name: string, value: number | undefined) =>
  value === undefined ? '' : ` ${name}="${value}"`;

const escape = (text: string) =>
  text.replace(/[&<>"\r\n\t]/g, (character) => `&#${character.charCodeAt(0)};`);
