export { type Clip, textFile } from './clip.ts';
export { mkvClip } from './mkv.ts';
export { mp4Clip } from './mp4.ts';
