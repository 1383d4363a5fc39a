import type { ResumeOffer } from './port.ts';

/** "3:44", "about 3:44". */
export const resumeTimeText = ({ position, isExact }: ResumeOffer): string =>
  `${isExact ? '' : 'about '}${formatTime(position)}`;

/** Seconds as a player shows them: "12:34", "1:02:03". */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
