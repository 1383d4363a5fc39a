import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Incoming } from '../../http/types.ts';
import { type DirectPost, episodeOf, type Wanted } from '../post.ts';
import { byteAddress, readPlayAddress } from './addresses.ts';
import { errorAnswer, expressAnswer, redirect } from './answers.ts';
import type { AioStreams } from './service.ts';

const NOT_ALLOWED = expressAnswer(405, 'Method Not Allowed', { 'content-type': 'text/html; charset=utf-8' });
const MEANS_NOTHING = errorAnswer(400, 'BAD_REQUEST', 'Failed to parse file info and not found in store.');

/** What opening a release comes to: a file of it, or the clip that tells of the failure. */
type Opened = { readonly video: number } | { readonly clip: string };

/** A play address blocks until the release is open, then leads to its bytes or to a clip. */
export async function playback(request: Incoming, path: string, service: AioStreams): Promise<Answer> {
  if (request.method !== 'GET') return NOT_ALLOWED;
  const asked = readPlayAddress(path, service);
  if (asked === undefined) return MEANS_NOTHING;
  let first: string | undefined;
  for (const post of [asked.post, ...replacements(asked.failover, service)]) {
    const opened = await open(post, asked.wanted, service);
    if ('video' in opened)
      return redirect(307, byteAddress(post, opened.video, service), { 'cache-control': 'no-store' });
    first ??= opened.clip;
  }
  return redirect(307, `/static/${first}.mp4`);
}

/** What stands behind a release in its list. */
function replacements(failover: string, { memory }: AioStreams): readonly DirectPost[] {
  const [, place, key = ''] = /^(\d+)\.\d+\.(\w+)$/.exec(failover) ?? [];
  return memory.lists.get(key)?.slice(Number(place) + 1) ?? [];
}

async function open(post: DirectPost, wanted: Wanted, service: AioStreams): Promise<Opened> {
  const { library, settings } = service;
  const { release } = post;
  if (settings.clip !== undefined) return { clip: settings.clip };
  const known = library.get(release.guid);
  if (known?.status === 'failed') return { clip: 'download_failed' };
  if (known === undefined) {
    await sleep(Math.min(post.delay, settings.patience));
    if (post.delay >= settings.patience) return { clip: 'downloading' };
    if (post.nzb !== 'good') return { clip: '500' };
    const isGood = settings.provider === 'there' && isImportable(post);
    library.set(release.guid, { status: isGood ? 'available' : 'failed', cached: new Set() });
    // That its password is not known shows in its first bytes.
    if (!isGood && (settings.provider === 'away' || !isEncrypted(post))) return { clip: 'download_failed' };
  }
  const video = post.videoOf(episodeOf(wanted));
  return video === undefined ? { clip: 'no_matching_file' } : { video };
}

export const isEncrypted = ({ release: { archive } }: DirectPost): boolean => archive?.password !== undefined;

function isImportable(post: DirectPost): boolean {
  const { health, archive } = post.release;
  if (health === 'dead' || archive?.compressed === true || isEncrypted(post)) return false;
  return !post.holes(0).some(({ from }) => from === 0);
}
