import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DIST, ENGINE_PATH } from '../lib/paths.ts';

/** The built engine while it plays in this terminal. */
export interface PlayingEngine {
  /** The local URL; undefined when the engine ends without one. */
  readonly url: Promise<string | undefined>;
  /** The exit status. */
  readonly ended: Promise<number>;
  stop(): void;
}

interface EngineOptions {
  /** Without one it shows its list and takes the first row. */
  readonly keyboard: boolean;
  /** What it runs on. */
  readonly node: string;
}

/** Starts `slipstream play` with `args`. */
export function startEngine(args: readonly string[], { keyboard, node }: EngineOptions): PlayingEngine {
  const engine = spawn(node, [join(DIST, ENGINE_PATH), 'play', ...args], {
    stdio: [keyboard ? 'inherit' : 'ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: engine.stdout });
  return {
    url: new Promise((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => {
        resolve(undefined);
      });
    }),
    ended: new Promise((resolve) => {
      engine.once('close', (status) => {
        resolve(status ?? 1);
      });
    }),
    stop: () => {
      engine.kill('SIGTERM');
    },
  };
}
