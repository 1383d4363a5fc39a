/** One part of a multipart/form-data body. */
export interface FormPart {
  readonly name: string;
  readonly filename?: string;
  readonly data: Buffer;
}

/** The parts of a body (RFC 7578); an empty list when it is no such body. */
export function formParts(contentType: string, body: Buffer): FormPart[] {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const line = Buffer.from(`--${boundary}`);
  const parts: FormPart[] = [];
  for (let from = body.indexOf(line); from !== -1; ) {
    const next = body.indexOf(line, from + line.length);
    if (next === -1) break;
    // A part is CRLF, headers, an empty line, the data, CRLF.
    const part = parsePart(body.subarray(from + line.length + 2, next - 2));
    if (part !== undefined) parts.push(part);
    from = next;
  }
  return parts;
}

function parsePart(part: Buffer): FormPart | undefined {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  // A name may hold what only JavaScript takes for the end of a line.
  const headers = part.subarray(0, end).toString('utf8');
  const disposition = /^content-disposition:[^\r\n]*/im.exec(headers)?.[0] ?? '';
  const name = /[; ]name="([^"]*)"/i.exec(disposition)?.[1];
  const filename = /filename="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) return undefined;
  const data = part.subarray(end + 4);
  return filename === undefined ? { name, data } : { name, filename: unescapeQuotes(filename), data };
}

/** Browsers and fetch write a quote as %22 and line ends as %0D and %0A (the HTML standard's form encoding). */
function unescapeQuotes(filename: string): string {
  return filename.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}
