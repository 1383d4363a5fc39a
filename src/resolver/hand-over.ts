import type { Host, PlayItem, Properties } from '../host/port.ts';
import { lowerActive } from './active.ts';
import { maskStreamUrl } from './masked-url.ts';
import { PROPERTY } from './properties.ts';
import type { PlayTarget, ResolverStages } from './stages.ts';

/**
 * Announces the stream to the service by the shared properties, then hands it to the media centre. The order
 * matters: whoever monitors must know the URL before playback starts. When the host refuses, nothing stays announced.
 */
export async function handOver(
  item: PlayItem,
  target: PlayTarget,
  host: Host,
  stages: Pick<ResolverStages, 'withdraw'>,
): Promise<void> {
  const { properties } = host;
  await announce(item.stream.url, properties);
  try {
    if (target === 'resolve') await host.resolve(item);
    else await host.play(item);
  } catch (error) {
    await stages.withdraw(item.stream.url, properties);
    throw error;
  }
}

/** Tells the service by the shared properties which stream is about to be played. */
export async function announce(streamUrl: string, properties: Properties): Promise<void> {
  await properties.set(PROPERTY.streamUrl, maskStreamUrl(streamUrl));
  await properties.set(PROPERTY.active, 'true');
}

/** Takes the announcement back, unless another stream has been announced since. */
export async function withdraw(streamUrl: string, properties: Properties): Promise<void> {
  if ((await properties.get(PROPERTY.streamUrl)) !== maskStreamUrl(streamUrl)) return;
  await properties.clear(PROPERTY.streamUrl);
  await lowerActive(properties);
}
