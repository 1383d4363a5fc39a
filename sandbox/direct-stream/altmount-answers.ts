import type { Answer } from '../http/types.ts';
import { json } from '../http/types.ts';
import type { SandboxJob } from '../nzbdav/job.ts';
import type { Mount } from '../nzbdav/jobs.ts';
import { downloadKey } from './altmount-key.ts';
import type { DirectStreamParts } from './parts.ts';

export const refused = (status: number, code: string, message: string, details = ''): Answer =>
  plainJson(status, { error: { code, details, message }, success: false });

export function streamPath({ category, folder = '' }: SandboxJob, path: string, apiKey: string): string {
  const place = encodeURIComponent(`/complete/${category}/${folder}/${path}`);
  return `/api/files/stream?path=${place}&download_key=${downloadKey(apiKey)}`;
}

export const mountOf = (
  { category, folder }: SandboxJob,
  jobs: DirectStreamParts['jobs'],
): Mount | undefined => jobs.mounts().find((mount) => mount.category === category && mount.folder === folder);

export const plainJson = (status: number, value: unknown): Answer => ({
  ...json(status, value),
  headers: { 'content-type': 'application/json' },
});
