import type { Video } from './catalogue.ts';
import { aviClip, type Clip, mkvClip, mp4Clip, packetClip } from './clips/index.ts';

/** The bytes of a release's video. */
export function videoClip({ path, container, seconds, size, filled = false }: Video): Clip {
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (container) {
    case 'mkv':
      return mkvClip({ name, seconds, size, filled });
    case 'mp4-front':
      return mp4Clip({ name, seconds, size, index: 'front' });
    case 'mp4-tail':
      return mp4Clip({ name, seconds, size, index: 'tail' });
    case 'ts':
      return packetClip({ name, size });
    case 'avi':
      return aviClip({ name, size });
  }
}
