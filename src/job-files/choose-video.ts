import type { MediaRequest } from '../model/index.ts';
import { chooseEpisode } from './choose-episode.ts';
import { chooseFilm } from './choose-film.ts';
import { isExtra } from './extras.ts';
import { featuresOf } from './features.ts';
import type { FileChoice } from './file-choice.ts';
import { noChoice } from './file-choice.ts';
import { isVideo, type JobFile, nameOf } from './files.ts';

export type { JobFile } from './files.ts';
export type VideoChoice = FileChoice;

const DISC_IMAGE = /\.(?:iso|img|nrg|mdf)$/i;

/**
 * Chooses the video that was asked for among a job's files. Rather none than a wrong one: a named wrong episode is
 * never chosen, nor one of several that do not say which they are.
 * @param jobFolder The job's own folder; its name speaks for files that say nothing.
 */
export function chooseVideo(
  files: readonly JobFile[],
  request: MediaRequest,
  jobFolder: string,
): VideoChoice {
  const videos = files.filter(isVideo);
  if (videos.length === 0)
    return noChoice(files.some((file) => DISC_IMAGE.test(nameOf(file))) ? 'disc-image' : 'no-video');
  const { episode } = request;
  const own = videos.filter((video) => !isExtra(video, request));
  if (own.length === 0) return noChoice('only-extras');
  return episode === undefined
    ? chooseFilm(featuresOf(own, 'movie'), request, jobFolder)
    : chooseEpisode(featuresOf(own, 'episode'), { ...request, episode }, jobFolder);
}
