/**
 * The time by this process's monotonic clock, in milliseconds since the epoch: what lies between two of them is a
 * duration, whatever is done to the system's clock meanwhile.
 */
export const monotonicTime = (): number => performance.timeOrigin + performance.now();
