import type { Explanation } from '../errors/index.ts';

/** "1:02:03" or "0:35". */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n: number) => String(n % 60).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole)}` : `${minutes}:${two(whole)}`;
}

/** A film that broke off is played again. @param position Seconds. */
export const goesOn = (position: number): Explanation => ({
  what: 'The film broke off before its end.',
  next: `It goes on from ${clock(position)}.`,
});

/** A film that broke off is not played again. @param time Seconds. @param why As far as it is known. */
export const brokeOff = (time: number, why: Explanation | undefined): Explanation => ({
  what: `The film broke off at ${clock(time)} and cannot be played on.`,
  next: why === undefined ? 'Play it again, or choose another release.' : `${why.what} ${why.next}`,
});
