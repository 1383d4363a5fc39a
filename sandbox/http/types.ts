import type { Clip } from '../clips/index.ts';
import type { Supply } from '../provider/index.ts';

export type ServiceName = 'indexer' | 'api' | 'webdav';

/** One request as it came in. Nothing is masked: the sandbox's keys are worth nothing. */
export interface RecordedRequest {
  readonly service: ServiceName;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** By the monotonic clock (clock.ts). */
  readonly at: number;
  /** 0 until an answer has begun. */
  readonly status: number;
  /** Bytes of the body handed to the socket so far. */
  readonly sent: number;
  /** The answer is over, in whichever way. */
  readonly done: boolean;
}

export interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, read before the handler is called. */
  readonly body: Buffer;
}

/** A stretch of a clip; `end` is not included. */
export interface ClipRange {
  readonly clip: Clip;
  readonly start: number;
  readonly end: number;
  /** Where, as an offset in the clip, and how the body breaks off although the headers promise more. */
  readonly cut?: { readonly at: number; readonly how: 'fin' | 'reset' };
  /** Begins to fetch the bytes; absent: they are just there. Head and body leave as they come. */
  readonly fetch?: () => Supply;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ClipRange;
  /** Never send anything, and keep the connection. */
  readonly hang?: boolean;
  /** Break the connection off without an answer. */
  readonly reset?: boolean;
  /** Milliseconds before any of it is sent. */
  readonly after?: number;
  /** Without a length: in chunks. */
  readonly chunked?: boolean;
}

export type Handler = (request: Incoming) => Answer | Promise<Answer>;

export function json(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  };
}

export function xml(status: number, body: string, type = 'application/xml; charset=utf-8'): Answer {
  return { status, headers: { 'content-type': type }, body };
}

/** A page for people, as at the front of most services. */
export function titledPage(title: string): Answer {
  const body = `<!DOCTYPE html><html><head><title>${title}</title></head><body></body></html>`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** Text as XML wants it, in elements and in attributes. */
export function escapeXml(value: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return value.replace(/[&<>"']/g, (letter) => names[letter] ?? letter);
}
