import type { Cooldown } from './cooldown.ts';

/** "Example rests until 20:15 because its limit is used up": by the clock on the wall. */
export function cooldownText(name: string, { until, reason, why }: Cooldown, now = Date.now()): string {
  const end = new Date(Math.ceil(until / MINUTE) * MINUTE);
  const clock = end.toTimeString().slice(0, 'HH:MM'.length);
  // No rest lasts longer than a day.
  const day = end.getDate() === new Date(now).getDate() ? '' : 'tomorrow ';
  return `${name} rests until ${day}${clock} because ${why ?? REASONS[reason]}`;
}

const MINUTE = 60_000;

const REASONS = { limit: 'its limit is used up', failures: 'it failed repeatedly' } as const;
