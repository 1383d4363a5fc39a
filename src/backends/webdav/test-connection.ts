import { asSlipstreamError } from '../../errors/index.ts';
import type { SettingId } from '../../settings/index.ts';
import type { Check } from '../backend.ts';
import { NAME, WEBDAV_NAME } from './config.ts';
import { listFolder, type Share } from './listing.ts';
import type { SabApi } from './sab-api.ts';

/** As Backend.test: the API first, then the files. */
export async function testConnection(
  api: SabApi,
  share: Share,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const steps: readonly (readonly [string, SettingId, () => Promise<unknown>])[] = [
    [`The API of ${NAME}`, 'webdav_api_url', () => api.queue(signal)],
    [WEBDAV_NAME, 'webdav_url', () => listFolder(share, ['content'], signal)],
  ];
  const checks: Check[] = [];
  for (const [what, setting, step] of steps) {
    try {
      await step();
      checks.push({ what });
    } catch (error) {
      signal.throwIfAborted();
      checks.push({ what, failure: asSlipstreamError(error), setting });
      break;
    }
  }
  return checks;
}
