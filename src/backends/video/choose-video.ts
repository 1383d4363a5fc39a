import type { MediaRequest } from '../../model/index.ts';
import { judgeName } from './episode-tags.ts';
import type { JobFile } from './files.ts';

export type { JobFile } from './files.ts';

export type VideoChoice =
  | { readonly kind: 'chosen'; readonly file: JobFile }
  | {
      readonly kind: 'none';
      /** No video at all; samples and extras only; other episodes only; several that could be it. */
      readonly reason: 'no-video' | 'only-extras' | 'other-episodes' | 'ambiguous';
    };

const VIDEO = /\.(?:mkv|mp4|m4v|avi|ts|m2ts|mts|wmv|mov|webm|mpg|mpeg|flv|vob|ogm|divx)$/i;
const SAMPLE_NAME = /(?:^|[^a-z0-9])(?:sample|proof)(?:[^a-z0-9]|$)/i;
const EXTRA_NAME = /[ ._-](?:trailer|teaser|featurette|interview|deleted[ ._-]scenes?|making[ ._-]of)$/i;
const EXTRA_FOLDER =
  /^(?:samples?|proof|extras?|bonus|featurettes?|trailers?|interviews?|deleted[ ._-]scenes?|behind[ ._-]the[ ._-]scenes|shorts?|specials? features?)$/i;

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
  const videos = files.filter(({ path, size }) => VIDEO.test(path.at(-1) ?? '') && size !== 0);
  if (videos.length === 0) return { kind: 'none', reason: 'no-video' };
  const features = videos.filter((video) => !isExtra(video, request.title));
  const [largest] = [...features].sort(bySize);
  if (largest === undefined) return { kind: 'none', reason: 'only-extras' };
  return request.episode === undefined
    ? { kind: 'chosen', file: largest }
    : chooseEpisode(features, request.episode, jobFolder);
}

function chooseEpisode(
  videos: readonly JobFile[],
  episode: NonNullable<MediaRequest['episode']>,
  jobFolder: string,
): VideoChoice {
  const judged = videos.map((file) => ({ file, verdict: judge(file, episode, jobFolder) }));
  const those = (verdict: string) =>
    judged.filter((video) => video.verdict === verdict).map(({ file }) => file);
  const [exact] = those('this').sort(bySize);
  if (exact !== undefined) return { kind: 'chosen', file: exact };
  const [named] = those('among').sort(bySize);
  if (named !== undefined) return { kind: 'chosen', file: named };
  const unsaid = those('unsaid');
  const [only] = unsaid;
  if (only === undefined) return { kind: 'none', reason: 'other-episodes' };
  return unsaid.length === 1 ? { kind: 'chosen', file: only } : { kind: 'none', reason: 'ambiguous' };
}

/** The name nearest to the file that says something decides; a folder's range says nothing about one file in it. */
function judge(
  { path }: JobFile,
  episode: NonNullable<MediaRequest['episode']>,
  jobFolder: string,
): 'this' | 'among' | 'other' | 'unsaid' {
  const [name = '', ...folders] = [jobFolder, ...path].reverse();
  const own = judgeName(name, episode);
  if (own !== 'unsaid') return own;
  for (const folder of folders) {
    const verdict = judgeName(folder, episode);
    if (verdict !== 'unsaid') return verdict === 'among' ? 'unsaid' : verdict;
  }
  return 'unsaid';
}

/** A word of the wanted title is no sign of an extra: there is a show called "Extras". */
function isExtra({ path }: JobFile, title: string): boolean {
  const name = (path.at(-1) ?? '').replace(VIDEO, '');
  const folders = path.slice(0, -1);
  const found = [SAMPLE_NAME.exec(name), EXTRA_NAME.exec(name), ...folders.map((f) => EXTRA_FOLDER.exec(f))];
  const words = plain(title).split(' ');
  return found.some((match) => match !== null && !words.includes(plain(match[0])));
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const bySize = (a: JobFile, b: JobFile) => (b.size ?? 0) - (a.size ?? 0);
