import type { ServiceHost } from '../host/port.ts';
import type { Logger } from '../log/index.ts';
import { parseSettings, SETTING_IDS, type Settings } from '../settings/index.ts';

export interface LiveSettings {
  /** Those of now. */
  readonly current: Settings;
  /** Calls back with those of now, and again with each later reading. */
  subscribe(listener: (settings: Settings) => void): void;
}

/**
 * Reads the settings, and again whenever the host says that they have changed. What cannot be read leaves them as they
 * were, at first at their defaults: no service fails for that.
 */
export async function openLiveSettings(
  host: Pick<ServiceHost, 'readSettings' | 'onSettingsChanged' | 'aborted'>,
  log: Logger,
): Promise<LiveSettings> {
  let current = parseSettings({});
  const listeners: ((settings: Settings) => void)[] = [];
  const read = async () => {
    try {
      current = parseSettings(await host.readSettings(SETTING_IDS));
      for (const listener of listeners) listener(current);
    } catch (error) {
      if (!host.aborted.aborted) log.error('the settings could not be taken over', error);
    }
  };
  let reading = read();
  host.onSettingsChanged(() => {
    // One after the other: what was stored last counts.
    reading = reading.then(read);
  });
  await reading;
  return {
    get current() {
      return current;
    },
    subscribe: (listener) => {
      listeners.push(listener);
      listener(current);
    },
  };
}
