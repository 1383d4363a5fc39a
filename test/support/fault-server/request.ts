// The requests on one connection, read off it by hand: what arrives is known to the byte.

export interface Request {
  readonly method: string;
  readonly path: string;
  /** By lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
}

const MAX_HEAD = 64 * 1024;
const END_OF_HEAD = '\r\n\r\n';

export class RequestReader {
  #text = '';

  /** Takes what came; gives the requests that are complete now; undefined when no head ends within 64 KiB. */
  take(chunk: Buffer): Request[] | undefined {
    this.#text += chunk.toString('latin1');
    const requests: Request[] = [];
    for (let end = this.#text.indexOf(END_OF_HEAD); end >= 0; end = this.#text.indexOf(END_OF_HEAD)) {
      requests.push(parse(this.#text.slice(0, end)));
      this.#text = this.#text.slice(end + END_OF_HEAD.length);
    }
    return this.#text.length > MAX_HEAD ? undefined : requests;
  }
}

function parse(head: string): Request {
  const [line = '', ...fields] = head.split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = new Map(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
    }),
  );
  return { method, path, headers };
}
