import type { ServiceHost } from '../host/port.ts';
import { isSettingUpElsewhere, maskStreamUrl, PROPERTY } from '../resolver.ts';

/**
 * Whether the person plays something else, or is about to.
 * @param ownStreams As they are announced: what the service itself plays, or has played, which may not be put away yet.
 */
export async function isBusy(
  {
    player,
    properties,
  }: Pick<ServiceHost, 'properties'> & { readonly player: Pick<ServiceHost['player'], 'state'> },
  ownStreams: ReadonlySet<string>,
): Promise<boolean> {
  if (await isSettingUpElsewhere(properties)) return true;
  const next = await properties.get(PROPERTY.streamUrl);
  if (next !== '' && !ownStreams.has(next)) return true;
  const state = await player.state();
  return state !== undefined && !ownStreams.has(maskStreamUrl(state.file));
}
