import type { Link, Release } from '../../model/index.ts';

/** Ids of releases that last while a search goes on: a release keeps its id when links are added to it. */
export interface ReleaseIds {
  /** An id for each of them, no two the same. */
  of(releases: readonly Release[]): Map<Release, string>;
}

export function openReleaseIds(): ReleaseIds {
  const known = new Map<string, string>();
  let last = 0;
  const keyOf = ({ source, indexer, guid, url }: Link) => `${source}\n${indexer}\n${guid || url}`;
  return {
    of: (releases) => {
      const taken = new Set<string>();
      const ids = new Map<Release, string>();
      for (const release of releases) {
        const keys = release.links.map(keyOf);
        const before = keys.map((key) => known.get(key)).find((id) => id !== undefined && !taken.has(id));
        const id = before ?? String(++last);
        taken.add(id);
        ids.set(release, id);
        for (const key of keys) known.set(key, id);
      }
      return ids;
    },
  };
}
