/** As media centres count. */
export const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;
export const MEGABIT = 1e6;

/** "7.4 GB", "350 MB". */
export function sizeText(bytes: number): string {
  if (bytes >= GIGABYTE) return `${(bytes / GIGABYTE).toFixed(1)} GB`;
  return `${Math.round(bytes / MEGABYTE)} MB`;
}

/** "12 Mbit/s", "0.8 Mbit/s". */
export function bitrateText(bitsPerSecond: number): string {
  const value = bitsPerSecond / MEGABIT;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} Mbit/s`;
}
