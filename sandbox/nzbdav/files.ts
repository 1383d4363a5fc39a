import type { CatalogueRelease, Video } from '../catalogue.ts';
import { type Clip, mkvClip, mp4Clip, textFile } from '../clips/index.ts';
import type { Faults } from '../faults.ts';

/** A file in a finished job's folder. */
export interface MountedFile {
  /** Within the folder. */
  readonly path: string;
  readonly clip: Clip;
  /** Bytes whose articles are gone. */
  readonly missing?: { readonly from: number; readonly to: number };
}

const SAMPLE = { seconds: 8, size: 6_000_000 };

/** What nzbdav mounts for a release: its videos, and not the files of the default block list (nfo, par2, sample.mkv). */
export function filesOf(release: CatalogueRelease, folder: Faults['folder']): readonly MountedFile[] {
  switch (folder) {
    case 'empty':
    case 'absent':
      return [];
    case 'sample-only': {
      const name = `${release.name}-sample-clip.mkv`;
      return [{ path: `Sample/${name}`, clip: mkvClip({ name, ...SAMPLE }) }];
    }
    case 'no-video':
      return [{ path: 'readme.txt', clip: textFile('readme.txt', 'Nothing to see here.\n') }];
    case undefined:
      return release.videos.map((video) => mounted(video, release.health === 'damaged'));
  }
}

function mounted(video: Video, damaged: boolean): MountedFile {
  const clip = clipOf(video);
  if (!damaged) return { path: video.path, clip };
  return { path: video.path, clip, missing: { from: Math.floor(video.size * 0.6), to: video.size } };
}

function clipOf({ path, container, seconds, size }: Video): Clip {
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (container) {
    case 'mkv':
      return mkvClip({ name, seconds, size });
    case 'mp4-front':
      return mp4Clip({ name, seconds, size, index: 'front' });
    case 'mp4-tail':
      return mp4Clip({ name, seconds, size, index: 'tail' });
  }
}
