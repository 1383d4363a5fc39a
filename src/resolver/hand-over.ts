import type { Host, PlayItem, Properties } from '../host/port.ts';
import { announced } from './announced.ts';
import { PROPERTY } from './properties.ts';

/** Where the result goes: the resolve that the media centre waits for, or its player directly. */
export type Outlet = 'resolve' | 'player';

/**
 * Announces the stream to the service by the shared properties, then hands it to the media centre. The order is the
 * contract's: whoever monitors must know the URL before playback starts. When the host refuses, nothing stays announced.
 */
export async function handOver(item: PlayItem, outlet: Outlet, host: Host): Promise<void> {
  const { properties } = host;
  await properties.set(PROPERTY.streamUrl, announced(item.stream.url));
  await properties.set(PROPERTY.active, 'true');
  try {
    if (outlet === 'resolve') await host.resolve(item);
    else await host.play(item);
  } catch (error) {
    await withdraw(item.stream.url, properties);
    throw error;
  }
}

/** Takes the announcement back, unless another stream has been announced since. */
export async function withdraw(streamUrl: string, properties: Properties): Promise<void> {
  if ((await properties.get(PROPERTY.streamUrl)) !== announced(streamUrl)) return;
  await properties.clear(PROPERTY.active);
  await properties.clear(PROPERTY.streamUrl);
}
