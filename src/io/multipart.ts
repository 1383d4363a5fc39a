import { randomUUID } from 'node:crypto';
import type { HttpBody } from './http.ts';

export interface FormFile {
  /** The field's name. */
  readonly field: string;
  readonly fileName: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A form with one file in it, and fields of text in front of it, as multipart/form-data (RFC 7578). */
export function formBody(
  { field, fileName, type, bytes }: FormFile,
  fields: Readonly<Record<string, string>> = {},
): HttpBody {
  const boundary = `slipstream-${randomUUID()}`;
  const texts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const disposition = `form-data; name="${quoted(field)}"; filename="${quoted(fileName)}"`;
  const head = `${texts.join('')}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** As browsers write a name: UTF-8, with only what would end it or its line escaped (HTML standard, form encoding). */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
