import type { PlayItem } from '../host/port.ts';
import type { PendingStream } from '../resolver.ts';

/** What is to be handed to the media centre. */
export interface PendingPlay {
  readonly item: PlayItem;
  /** Committed once `item` was handed over, else discarded. */
  readonly pending: PendingStream;
}
