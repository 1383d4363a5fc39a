import type { Answer } from '../../http/types.ts';
import { errorAnswer, jsonAnswer } from './answers.ts';
import { onlyError } from './rows.ts';
import type { AioStreams } from './service.ts';

/** Requests of one address in so many seconds. */
const LIMITS = {
  list: { requests: 10, seconds: 15 },
  manifest: { requests: 5, seconds: 5 },
  search: { requests: 5, seconds: 10 },
} as const;

/** The answer beyond a limit, which a list gives with status 200; undefined: within it. */
export function limitAnswer(kind: keyof typeof LIMITS, service: AioStreams): Answer | undefined {
  const { settings, memory, now } = service;
  if (settings.limits === 'off') return undefined;
  const { requests, seconds } = LIMITS[kind];
  const known = memory.counted.get(kind);
  const isOver = known === undefined || now() - known.since >= seconds * 1000;
  const window = isOver ? { since: now(), count: 0 } : known;
  memory.counted.set(kind, window);
  window.count++;
  if (window.count <= requests) return undefined;
  const rest = String(Math.ceil((window.since + seconds * 1000 - now()) / 1000));
  const headers = {
    'ratelimit-policy': `${requests};w=${seconds}`,
    'ratelimit-limit': String(requests),
    'ratelimit-remaining': '0',
    'ratelimit-reset': rest,
    'retry-after': rest,
  };
  return kind === 'list'
    ? jsonAnswer(200, onlyError('Rate Limit Exceeded'), headers)
    : errorAnswer(429, ...TOO_MANY, headers);
}

const TOO_MANY = ['RATE_LIMIT_EXCEEDED', 'Too many requests from this IP, please try again later.'] as const;
