import type { Recall, ServicePlayer } from '../host/port.ts';

/**
 * Plays a film of ours from its search on: unasked, with the release that played before first, from that second.
 * @throws HOST_FAILED also while another film starts
 */
export async function playAnew(
  origin: string,
  { position, release }: Recall,
  player: Pick<ServicePlayer, 'playAnew'>,
): Promise<void> {
  await player.playAnew(origin, { position: Math.max(0, position), release });
}
