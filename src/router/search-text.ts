import { CancelledError, SlipstreamError } from '../errors/index.ts';
import type { Host } from '../host/port.ts';
import type { EpisodeNumber, MediaRequest } from '../model/index.ts';
import { loadReleaseNameParser, workYear } from '../release/index.ts';
import { MAX_TITLE, shortened } from './parameters.ts';

/** Asks for a title, as a person would write it. @throws CancelledError; INVALID_REQUEST for what names nothing */
export async function askForRequest(host: Host): Promise<MediaRequest> {
  const question = { title: 'Title, with year, S01E02 or 2024-03-05' };
  const text = await host.questions.text(question, host.aborted);
  if (text === undefined) throw new CancelledError('person');
  return await parseSearchText(text);
}

/**
 * "Sintel 2010" is a film, "Caminandes S01E02" and "Caminandes 1x02" are episodes, "The Daily Example 2024-03-05" is one
 * of a daily show: a person writes a title as a release does. @throws INVALID_REQUEST for what names nothing
 */
export async function parseSearchText(text: string): Promise<MediaRequest> {
  const parse = await loadReleaseNameParser();
  const quality = parse(shortened(text.trim(), MAX_TITLE));
  const { title, seasons, episodes, date } = quality;
  if (!/[\p{L}\p{N}]/u.test(title)) {
    throw new SlipstreamError('INVALID_REQUEST', {
      what: 'That is no title.',
      next: 'Write the title of a film, or of a show with season and episode, such as S01E02.',
    });
  }
  if (date !== undefined) return { kind: 'episode', title, ids: {}, episode: dailyEpisode(date) };
  const year = workYear(quality);
  const common = { title, ...(year !== undefined && { year }), ids: {} };
  const [season, episode] = [seasons[0], episodes[0]];
  if (season !== undefined && episode === undefined) {
    throw new SlipstreamError('INVALID_REQUEST', {
      what: 'The episode is missing.',
      next: 'Write season and episode, such as S01E02.',
    });
  }
  return season === undefined || episode === undefined
    ? { kind: 'movie', ...common }
    : { kind: 'episode', ...common, episode: { season, episode } };
}

/** As shows of every day are numbered where they are: by year, then by month and day. */
function dailyEpisode(date: string): EpisodeNumber {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { season: year, episode: month * 100 + day, aired: date };
}
