import { CancelledError, SlipstreamError } from '../errors/index.ts';
import type { Host, PickRow } from '../host/port.ts';
import type { Candidate, MediaRequest, Release } from '../model/index.ts';

/**
 * The person's choice among the ranked candidates, or the first one when `automatic`.
 * @throws ALL_FILTERED when nothing passed the filters and nobody is asked; CancelledError when the person goes back.
 */
export async function choose(
  candidates: readonly Candidate[],
  request: MediaRequest,
  { host, automatic, signal }: { host: Host; automatic: boolean; signal: AbortSignal },
): Promise<Release> {
  const passed = candidates.filter(({ rejections }) => rejections.length === 0);
  if (automatic || passed.length === 0) {
    const [best] = passed;
    if (best === undefined) throw allFiltered(candidates);
    return best.release;
  }
  const index = await host.pick(
    {
      title: displayTitle(request),
      subtitle: `${passed.length} of ${candidates.length} ${candidates.length === 1 ? 'release' : 'releases'} ${passed.length === 1 ? 'passes' : 'pass'} your filters`,
      rows: passed.map(row),
    },
    signal,
  );
  const chosen = index === undefined ? undefined : passed[index];
  if (chosen === undefined) throw new CancelledError('person');
  return chosen.release;
}

/** "Sintel (2010)", "Caminandes 1x02 Gran Dillama". */
export function displayTitle({ title, year, episode }: MediaRequest): string {
  if (episode === undefined) return year === undefined ? title : `${title} (${year})`;
  const number = `${episode.season}x${String(episode.episode).padStart(2, '0')}`;
  return [title, number, episode.title].filter(Boolean).join(' ');
}

function row({ release, rejections }: Candidate): PickRow {
  const { quality, size, indexer, posted } = release;
  const facts = [
    quality.source,
    quality.codec,
    ...quality.hdr,
    ...quality.audio,
    size === undefined ? undefined : formatSize(size),
    posted === undefined ? undefined : formatAge(Date.now() - posted),
    indexer,
  ];
  return {
    label: release.name,
    badge: quality.resolution ?? '',
    facts: facts.filter((fact) => fact !== undefined),
    rejection: rejections[0] ?? '',
  };
}

const MB = 1e6;
const GB = 1e9;
const DAY_MS = 86_400_000;

const formatSize = (bytes: number): string =>
  bytes >= GB ? `${(bytes / GB).toFixed(1)} GB` : `${Math.max(1, Math.round(bytes / MB))} MB`;

function formatAge(ms: number): string {
  const days = Math.max(0, Math.floor(ms / DAY_MS));
  if (days === 0) return 'today';
  return days < 365 ? `${days} d` : `${(days / 365).toFixed(1)} y`;
}

function allFiltered(candidates: readonly Candidate[]): SlipstreamError {
  const [first] = candidates;
  const reason = first?.rejections[0];
  return new SlipstreamError('ALL_FILTERED', {
    what:
      candidates.length === 1
        ? 'The only release was rejected by your filters.'
        : `All ${candidates.length} releases were rejected by your filters.`,
    next:
      reason === undefined
        ? 'Loosen them in the settings.'
        : `The best one: ${reason}. Loosen that in the settings.`,
  });
}
