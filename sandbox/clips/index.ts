export { type Clip, textFile } from './clip.ts';
export { type MkvOptions, mkvClip } from './mkv.ts';
export { type Mp4Options, mp4Clip } from './mp4.ts';
