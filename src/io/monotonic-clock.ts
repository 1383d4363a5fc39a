/**
 * Milliseconds on the clock that all processes of a machine share and that nobody sets, for what one process leaves to
 * another: Node reads the system's monotonic clock for it (CLOCK_MONOTONIC, mach_continuous_time, QueryPerformanceCounter),
 * which counts from the machine's start. Within one process performance.now() measures.
 */
export const monotonicNow = (): number => Number(process.hrtime.bigint() / 1_000_000n);
