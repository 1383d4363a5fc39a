import type { PlayerEvent, Properties } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import { PROPERTY, withdraw } from '../resolver.ts';

/**
 * Watches the player on behalf of our streams only: the item whose playing file is svc.stream_url. Anything else that
 * plays (another add-on, TMDbHelper's dummy clip) is not ours, and a late stop of one film leaves the next one alone.
 */
export interface PlaybackMonitor {
  /** Takes one event; events are worked off one after the other, in their order. */
  readonly take: (event: PlayerEvent) => void;
  /** Our stream that plays now. */
  readonly current: () => string | undefined;
  /** Resolves when all events taken so far are worked off. */
  readonly settled: () => Promise<void>;
}

interface MonitorOptions {
  readonly properties: Properties;
  readonly log: Logger;
  /** Called with our stream that plays now, or undefined when none does any more. */
  readonly onChange: (playing: string | undefined) => void;
  /** Called when one of our streams has ended, whatever the reason. */
  readonly onEnd: (streamUrl: string) => void;
  /** The stream that played when the engine before this one was lost. */
  readonly resumed?: string | undefined;
}

export function createMonitor({
  properties,
  log,
  onChange,
  onEnd,
  resumed,
}: MonitorOptions): PlaybackMonitor {
  let current = resumed;
  let queue: Promise<void> = Promise.resolve();

  const begin = async (file: string) => {
    const ours = file !== '' && file === (await properties.get(PROPERTY.streamUrl));
    if (current !== undefined && current !== file) await end();
    if (!ours || current === file) return;
    current = file;
    onChange(file);
    await properties.set(PROPERTY.playing, 'true');
    log.info('our stream plays');
  };
  const end = async () => {
    if (current === undefined) return;
    const ended = current;
    current = undefined;
    await properties.clear(PROPERTY.playing);
    await withdraw(ended, properties);
    log.info('our stream has ended');
    onChange(undefined);
    onEnd(ended);
  };
  const work = async ({ kind, file }: PlayerEvent) => {
    if (kind === 'started' || kind === 'av-started') await begin(file);
    // While the player still holds our file, the stop was that of an item before it.
    else if (file === '' || file !== current) await end();
  };

  return {
    take: (event) => {
      queue = queue
        .then(() => work(event))
        .catch((error: unknown) => {
          log.error(`the monitor failed on ${event.kind}`, error);
        });
    },
    current: () => current,
    settled: () => queue,
  };
}
