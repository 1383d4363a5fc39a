import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// unit: everything that runs on Node alone; python: the host on every Python found;
// kodi and real: the components from the project's own Debian root.
const project = (
  name: string,
  include: string[],
  timeout: number,
  serial: boolean,
  exclude: string[] = [],
) => ({
  test: {
    name,
    include,
    exclude,
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
    fileParallelism: !serial,
    // Most of them wait more than they work; vitest by itself leaves one core to nobody.
    ...(!serial && { maxWorkers: availableParallelism() }),
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
      project('unit', ['test/**/*.test.ts'], 20_000, false, ['test/{python,kodi,real}/**']),
      project('python', ['test/python/**/*.test.ts'], 120_000, false),
      project('kodi', ['test/kodi/**/*.test.ts'], 180_000, true),
      project('real', ['test/real/**/*.test.ts'], 180_000, true),
    ],
  },
});
