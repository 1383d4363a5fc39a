import type { Answer, Incoming } from '../http/types.ts';
import { chunked, success } from './api-answers.ts';
import type { ApiOptions, Params } from './api-options.ts';
import { PROVIDER } from './slots.ts';

/** What InfiniDysk has added to the modes; undefined: it is none of these. */
export function infinidyskMode(
  mode: string | undefined,
  request: Incoming,
  params: Params,
  { jobs, faults }: ApiOptions,
): Answer | undefined {
  const ids = request.query.getAll('value').flatMap((value) => value.split(','));
  switch (mode) {
    case 'server_stats':
      return chunked({
        ...sums(),
        servers: faults.provider === 'none' ? {} : { [PROVIDER.nickname]: stats() },
      });
    case 'warnings':
      return chunked({ warnings: jobs.warnings() });
    case 'pause':
    case 'resume':
      if (ids.length === 0) jobs.paused = mode === 'pause';
      jobs.change(ids, { paused: mode === 'pause' });
      return success();
    case 'change_cat':
      jobs.change(ids, { category: params('cat') ?? '*' });
      return success();
    case 'retry':
      return retried(ids.flatMap((id) => jobs.retry(id) ?? []));
    case undefined:
    default:
      return undefined;
  }
}

const retried = (ids: readonly string[]) => success({ nzo_id: ids[0] ?? null, nzo_ids: ids, failed: null });

/** Bytes fetched; the sandbox does not count them. */
const sums = () => ({ total: 0, month: 0, week: 0, day: 0 });

function stats() {
  const day = new Date().toISOString().slice(0, 10);
  return { ...sums(), daily: { [day]: 0 }, articles_tried: { [day]: 0 }, articles_success: { [day]: 0 } };
}

/** The fork's own calls below /api, which its API key opens as well; undefined: it is none of these. */
export function infinidyskCall(
  { path, body }: Incoming,
  { apiKey, username, faults }: InfinidyskOptions,
): Answer | undefined {
  switch (path) {
    case '/api/get-provider-usage':
      return success({
        providers: faults.provider === 'none' ? [] : [{ ...USAGE, overLimit: faults.provider === 'used-up' }],
      });
    case '/api/get-config': {
      const limit = faults.queueLimit;
      const settings: Record<string, string> = {
        'webdav.user': username,
        'api.key': apiKey,
        ...(limit !== undefined && { 'queue.max-items': String(limit) }),
      };
      const keys = new URLSearchParams(body.toString('utf8')).getAll('config-keys');
      const known = keys.filter((key) => key in settings);
      return success({
        configItems: known.map((key) => ({ configName: key, configValue: settings[key] })),
      });
    }
    default:
      return undefined;
  }
}

export interface InfinidyskOptions extends ApiOptions {
  readonly username: string;
}

const USAGE = {
  index: 0,
  ...PROVIDER,
  providerId: 'b1c661fad37b869e93fc9d4546c7752a',
  bytesUsed: 0,
  byteLimit: null,
  overLimit: false,
  bytesPerDay: 0,
  daysRemaining: null,
  learnedConnectionLimit: null,
  effectiveMaxConnections: 10,
};
