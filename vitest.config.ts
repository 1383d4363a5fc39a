import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const CORES = availableParallelism();
const ALONE = 'test/kodi/alone/*.test.ts';

// unit: everything that runs on Node alone; python: the host on every Python found;
// kodi and real: the components from the project's own Debian root.
const project = (
  name: string,
  include: string[],
  timeout: number,
  workers: number,
  groupOrder: number,
  exclude: string[] = [],
) => ({
  test: {
    name,
    include,
    exclude,
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
    maxWorkers: workers,
    sequence: { groupOrder },
    // What is waited for comes when it comes: the machines are shared, and half of the test's time is enough.
    expect: { poll: { timeout: timeout / 2 } },
    env: { FORCE_COLOR: '0' },
    // The page of the set-up is served with its style; without this it would be an empty text.
    css: true,
  },
});

export default defineConfig({
  test: {
    projects: [
      project('unit', ['test/**/*.test.ts'], 20_000, 3 * CORES, 0, ['test/{python,kodi,real}/**']),
      project('python', ['test/python/**/*.test.ts'], 120_000, CORES, 1),
      project('kodi', ['test/kodi/**/*.test.ts'], 180_000, 2, 2, [ALONE]),
      // Behind the others: how fast this Kodi takes what comes decides what is kept for it.
      project('kodi-alone', [ALONE], 180_000, 1, 3),
      project('real', ['test/real/**/*.test.ts'], 180_000, 1, 4),
    ],
  },
});
