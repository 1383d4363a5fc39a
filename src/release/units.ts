/** As media centres count. */
export const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;
export const MEGABIT = 1e6;

/** "7.4 GB", "350 MB": as media centres count, and as the limits of the settings do. */
export function sizeText(bytes: number): string {
  // What would be rounded to 1024 MB is 1.0 GB; and nothing is 0 MB.
  if (bytes >= GIGABYTE - MEGABYTE / 2) return `${(bytes / GIGABYTE).toFixed(1)} GB`;
  return `${Math.max(1, Math.round(bytes / MEGABYTE))} MB`;
}

/** "12 Mbit/s", "0.8 Mbit/s". */
export function bitrateText(bitsPerSecond: number): string {
  const value = bitsPerSecond / MEGABIT;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} Mbit/s`;
}
