import { type Answer, escapeXml, xml } from '../../http/types.ts';

/** A release of 2.3.6; the last number is invented. */
export const VERSION = '2.3.6.5324';

export const NO_CACHE = { 'cache-control': 'no-cache, no-store', expires: '-1', pragma: 'no-cache' };

/** Something of Prowlarr's API. */
export function resourceAnswer(value: unknown, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...NO_CACHE },
    body: JSON.stringify(value),
    chunked: true,
  };
}

/** As all answers under /api/v1 have it, but those that an exception ends. */
export function versioned(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'x-application-version': VERSION } };
}

/** What ends a call in Prowlarr, by the name of its class. */
export class Exception extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** Its message, and all of it with the stack: about 3 kB (protocols.md §7.1). */
export function exceptionAnswer({ status, type, message }: Exception): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...NO_CACHE, 'cache-control': 'no-cache,no-store' },
    body: JSON.stringify({ message, description: `NzbDrone.Core.${type}: ${message}\n${STACK.join('\n')}` }),
    chunked: true,
  };
}

const STACK = Array.from(
  { length: 28 },
  (_, n) =>
    `   at Prowlarr.Sandbox.Pipeline.Step${n}.Invoke(HttpContext context, Func\`1 next) in ./Step.cs:line ${n}`,
);

/** A parameter that is not what it has to be. */
export function validationError(parameter: string, message: string, type: string): Answer {
  const trace = 'fdd27559beb55ebb758a82f5121bff8d-d78e60d44c9e5f52';
  return {
    ...resourceAnswer(
      {
        type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
        title: 'One or more validation errors occurred.',
        status: 400,
        errors: { [parameter]: [message] },
        traceId: `00-${trace}-00`,
      },
      400,
    ),
    headers: { 'content-type': type, ...NO_CACHE },
  };
}

/** A document of its Newznab interface. */
export function newznabDocument(content: string, status = 200): Answer {
  const { headers, ...answer } = xml(
    status,
    `<?xml version="1.0" encoding="UTF-8"?>\n${content}`,
    'application/rss+xml',
  );
  return { ...answer, headers: { ...headers, ...NO_CACHE } };
}

/** @param retryAfter seconds */
export function newznabError(status: number, code: number, description: string, retryAfter?: number): Answer {
  const answer = newznabDocument(`<error code="${code}" description="${escapeXml(description)}" />`, status);
  if (retryAfter === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(retryAfter) } };
}
