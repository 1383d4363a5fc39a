import { randomUUID } from 'node:crypto';
import type { HttpBody } from './http.ts';

export interface FormFile {
  /** The field's name. */
  readonly field: string;
  readonly fileName: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A form with one file in it, as multipart/form-data (RFC 7578). */
export function formBody({ field, fileName, type, bytes }: FormFile): HttpBody {
  const boundary = `slipstream-${randomUUID()}`;
  const disposition = `form-data; name="${quoted(field)}"; filename="${quoted(fileName)}"`;
  const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** As browsers write a name: UTF-8, with only what would end it or its line escaped (HTML standard, form encoding). */
const quoted = (name: string) => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
