import { redact } from '../../log/index.ts';
import type { Message } from '../port.ts';
import type { BridgePeer } from './peer.ts';

/** Long enough to be read from the couch: Kodi's own default of 5 s is not. */
const NOTIFICATION_MS = 10_000;

/** A toast: what failed, or went well, as its heading, the next step below. */
export async function notifyInKodi(peer: BridgePeer, { what, next, level }: Message): Promise<void> {
  await peer.call('notify', {
    heading: redact(what),
    message: redact(next),
    milliseconds: NOTIFICATION_MS,
    icon: level ?? 'error',
  });
}
