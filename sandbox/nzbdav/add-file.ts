import type { Answer, Incoming } from '../http/types.ts';
import { ApiError, failure, success } from './api-answers.ts';
import type { ApiOptions, Params } from './api-options.ts';
import { formParts } from './multipart.ts';
import { withoutComments, xmlError } from './submitted-nzb.ts';

const MANUAL_CATEGORY = 'uncategorized';
const PRIORITIES = [-100, -3, -2, -1, 0, 1, 2];
const POST_PROCESSING = [-1, 0, 1, 2, 3];

/** `mode=addfile`. */
export function addFile(request: Incoming, params: Params, options: ApiOptions): Answer {
  const refused = submissionRefusal(options);
  if (refused !== undefined) return refused;
  if (request.method !== 'POST') throw new ApiError(500, NO_FORM);
  const priority = priorityOf(params);
  const form = formParts(request.headers['content-type'] ?? '', request.body);
  const part = form.find(
    ({ name, filename }) => filename !== undefined && ['nzbfile', 'name'].includes(name.toLowerCase()),
  );
  if (part?.filename === undefined) throw new ApiError(400, 'Invalid nzbFile/name param', 'nzbFile');
  const name = options.dialect.honoursNzbname ? params('nzbname') : undefined;
  const file = name === undefined ? part.filename : `${name}.nzb`;
  return acceptNzb({ nzb: part.data.toString('utf8'), file, priority }, params, options);
}

/** What a test has it say to each submission, or to one more than may wait. */
export function submissionRefusal({ faults, dialect, jobs }: ApiOptions): Answer | undefined {
  const waiting = jobs.queue().length;
  const submit =
    waiting >= (faults.queueLimit ?? Infinity) ? full(waiting, faults.queueLimit) : faults.submit;
  if (submit === undefined) return undefined;
  const { status, error } = submit;
  return failure(new ApiError(status, error), dialect, status === 200 ? { nzo_ids: [] } : {});
}

const full = (waiting: number, limit = 0) => ({
  status: 200,
  error: `Queue is full (${waiting} of ${limit} items); submissions resume at or below ${limit}.`,
});

interface Submitted {
  readonly nzb: string;
  readonly file: string;
  readonly priority: number;
}

/** Makes a job of it. */
export function acceptNzb(submitted: Submitted, params: Params, { jobs, dialect }: ApiOptions): Answer {
  const { file, priority } = submitted;
  const nzb = withoutComments(submitted.nzb);
  const broken = xmlError(nzb);
  if (broken !== undefined) throw new ApiError(500, broken);
  const category = params('cat') ?? MANUAL_CATEGORY;
  const same = jobs.sameName(file, category);
  if (same.length > 0 && dialect.sameName === 'refused') throw new ApiError(500, NOT_SAVED);
  jobs.removeQueued(same);
  return success({ nzo_ids: [jobs.add({ file, category, nzb, priority })] });
}

const NO_FORM =
  'This request does not have a Content-Type header. Forms are available from requests with bodies like POSTs and a form Content-Type of either application/x-www-form-urlencoded or multipart/form-data.';
const NOT_SAVED = 'An error occurred while saving the entity changes. See the inner exception for details.';

/** @throws ApiError when it, or `pp`, is out of range */
export function priorityOf(params: Params): number {
  const priority = inRange(params('priority'), PRIORITIES, ['priority', 'Invalid priority']) ?? -100;
  inRange(params('pp'), POST_PROCESSING, ['pp', 'Invalid pp param']);
  return priority;
}

function inRange(
  value: string | undefined,
  allowed: readonly number[],
  [parameter, message]: readonly [string, string],
): number | undefined {
  if (value === undefined) return undefined;
  if (!allowed.includes(Number(value))) throw new ApiError(400, message, parameter);
  return Number(value);
}
