import type { Quality } from '../model/index.ts';

/**
 * The year by which a name tells its film or show from others of that title. One that counts a season ("S2016E01") is
 * the season's: the show may have begun at any time. Pure.
 */
export const workYear = ({ year, seasons }: Pick<Quality, 'year' | 'seasons'>): number | undefined =>
  year !== undefined && seasons.includes(year) ? undefined : year;
