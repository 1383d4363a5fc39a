import type { ReplayRequest, ServicePlayer } from '../host/port.ts';

/**
 * Plays a film of ours from its search on: unasked, with the release that played before first, from that second.
 * @throws HOST_FAILED also while another film starts
 */
export async function replayFilm(
  origin: string,
  { position, release }: ReplayRequest,
  player: Pick<ServicePlayer, 'replay'>,
): Promise<void> {
  await player.replay(origin, { position: Math.max(0, position), release });
}
