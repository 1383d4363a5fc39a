import { randomBytes } from 'node:crypto';
import { type Answer, json } from '../http/types.ts';
import type { Dialect } from './dialect.ts';

/** A request that is refused with this status and text. */
export class ApiError extends Error {
  readonly status: number;
  /** The parameter that is wrong, where the fork names it. */
  readonly parameter: string | undefined;

  constructor(status: number, message: string, parameter?: string) {
    super(message);
    this.status = status;
    this.parameter = parameter;
  }
}

/** JSON as the server sends it: in chunks. */
export const chunked = (value: unknown, status = 200): Answer => ({ ...json(status, value), chunked: true });

export const success = (value: object = {}): Answer => chunked({ ...value, status: true, error: null });

export const wrongApiKey = (dialect: Dialect): Answer =>
  failure(new ApiError(401, 'API Key Incorrect'), dialect);

/** @param more Fields beside `status` and `error`. */
export function failure(error: ApiError, dialect: Dialect, more: object = {}): Answer {
  const { status, message } = error;
  const problem = dialect.isFork ? { problem: problemOf(error) } : {};
  return chunked({ ...more, status: false, error: message, ...problem }, status);
}

const PROBLEMS: Record<number, readonly [string, string]> = {
  400: ['bad-request', 'Bad Request'],
  401: ['unauthorized', 'Unauthorized'],
};

/** RFC 9457, as the fork adds it. */
function problemOf({ status, message, parameter }: ApiError) {
  const [type, title] =
    parameter === undefined
      ? (PROBLEMS[status] ?? ['error', 'Request failed'])
      : ['validation', 'One or more validation errors occurred.'];
  return {
    type: `https://www.infinidysk.com/problems/${type}`,
    title,
    status,
    detail: message,
    traceId: randomBytes(16).toString('hex'),
    ...(parameter === undefined ? {} : { errors: errorsOf(parameter, message) }),
  };
}

function errorsOf(parameter: string, message: string): Record<string, string[]> {
  const named = { [parameter]: [message] };
  return parameter === 'nzbFile' ? { ...named, nzbname: ['NZB filename could not be determined.'] } : named;
}
