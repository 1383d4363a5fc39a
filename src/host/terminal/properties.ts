import type { Properties } from '../port.ts';

/** Properties of one process: in the terminal the service runs in the same process as the play. */
export function memoryProperties(): Properties {
  const values = new Map<string, string>();
  return {
    get: (name) => Promise.resolve(values.get(name) ?? ''),
    set: (name, value) => {
      values.set(name, value);
      return Promise.resolve();
    },
    clear: (name) => {
      values.delete(name);
      return Promise.resolve();
    },
  };
}
