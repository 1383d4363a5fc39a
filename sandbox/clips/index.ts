export { type Clip, textFile } from './clip.ts';
export { encrypted } from './encrypted.ts';
export { mkvClip } from './mkv.ts';
export { mp4Clip } from './mp4.ts';
export { aviClip, packetClip } from './opaque.ts';
