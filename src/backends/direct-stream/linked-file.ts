import type { Link, Release, RemoteFile } from '../../model/index.ts';
import { readyHintsOf } from '../../play-address/when-ready.ts';
import { servingOf } from './serving.ts';

/** A link that plays by itself (Link.plays), as the proxy opens it. @param wait Milliseconds that it may take. */
export function linkedFile(release: Release, link: Link, wait: number): RemoteFile {
  const { maxRequests, usenet } = readyHintsOf(link.service);
  return {
    via: 'proxy',
    url: link.url,
    headers: link.headers ?? {},
    name: `${release.name}.mkv`,
    serving: servingOf(link.service),
    opening: {
      who: link.indexer,
      wait,
      ...(maxRequests !== undefined && { most: maxRequests }),
      ...(usenet !== undefined && { usenet }),
      ...(link.listedAt !== undefined && { listedAt: link.listedAt }),
    },
  };
}
