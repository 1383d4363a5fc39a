/** A length of time (milliseconds) as messages tell it: "1 minute", "89 minutes", "24 hours". Parts of a minute count whole. */
export function durationText(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 90) return `${minutes} minute${minutes === 1 ? '' : 's'}`;
  return `${Math.round(minutes / 60)} hours`;
}
