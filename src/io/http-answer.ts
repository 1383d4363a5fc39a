import type { IncomingHttpHeaders } from 'node:http';

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body as UTF-8. */
  text(): string;
  /** Where the answer came from after redirects. */
  readonly url: string;
}
