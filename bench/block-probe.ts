// Loaded into a process ahead of its own program (node --require): watches its event loop.
// SIGUSR2: writes the longest block since the last time, in milliseconds, to stderr. SIGHUP: ranks 5,000 releases here.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { rankOnce } from './ranking.ts';

/** Milliseconds between two looks; a look that comes later by so much more was blocked. */
const INTERVAL = 5;
const NANOSECONDS = 1e6;

const delays = monitorEventLoopDelay({ resolution: INTERVAL });
delays.enable();

process.on('SIGUSR2', () => {
  process.stderr.write(`longest block: ${Math.max(0, delays.max / NANOSECONDS - INTERVAL)}\n`);
  delays.reset();
});

process.on('SIGHUP', () => {
  rankOnce().catch((error: unknown) => process.stderr.write(`ranking: ${String(error)}\n`));
});
