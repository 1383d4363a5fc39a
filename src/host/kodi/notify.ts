import type { Explanation } from '../../errors/index.ts';
import { redact } from '../../log/index.ts';
import type { Peer } from './peer.ts';

/** Long enough to be read from the couch: Kodi's own default of 5 s is not. */
const NOTIFICATION_MS = 10_000;

/** A toast: what failed as its heading, the next step below. */
export async function notifyInKodi(peer: Peer, { what, next }: Explanation): Promise<void> {
  await peer.call('notify', {
    heading: redact(what),
    message: redact(next),
    milliseconds: NOTIFICATION_MS,
    icon: 'error',
  });
}
