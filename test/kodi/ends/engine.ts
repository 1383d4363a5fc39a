// The ends of a play whose engine is lost.
import { waits } from './before.ts';
import type { End } from './end.ts';

export const ENGINE_LOST: readonly End[] = [
  {
    name: 'engine killed',
    boxes: 1,
    inTests: true,
    act: async (s) => {
      await waits(s);
      for (const pid of s.engines('plugin')) process.kill(pid, 'SIGKILL');
      return undefined;
    },
  },
  {
    name: 'engine hung',
    boxes: 1,
    inTests: true,
    act: async (s) => {
      await waits(s);
      for (const pid of s.engines('plugin')) process.kill(pid, 'SIGSTOP');
      await s.kodi.rpc('Input.Back');
      return undefined;
    },
  },
];
