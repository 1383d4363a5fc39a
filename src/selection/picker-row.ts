import type { Badge, Detail, PickerRow } from '../host/port.ts';
import { formatTime } from '../host/time-text.ts';
import type { Candidate, Quality, Release } from '../model/index.ts';
import { bitrateText, sizeText } from '../release/index.ts';

export interface RowOptions {
  /** The same for one release through all updates of a list. */
  readonly id: string;
  /** Now, in milliseconds since the epoch. */
  readonly now: number;
  /** Whether the backend has it already. */
  readonly downloaded: boolean;
  /** When it proved broken, in milliseconds since the epoch. */
  readonly failedAt?: number | undefined;
  /** Where the person left it, in seconds, when it is what they watched last. */
  readonly leftAt?: number | undefined;
  /** Why it stands where it does. */
  readonly explain?: (candidate: Candidate) => readonly Detail[];
}

/** A candidate as the person sees it in the list. */
export function pickerRow(candidate: Candidate, options: RowOptions): PickerRow {
  const { release, rejections, bitrate } = candidate;
  const { quality, size, posted } = release;
  return {
    id: options.id,
    name: release.name,
    badges: badges(quality),
    size: size === undefined ? '' : sizeText(size),
    bitrate: bitrate === undefined ? '' : bitrateText(bitrate),
    age: posted === undefined ? '' : formatAge(options.now - posted),
    indexer: indexers(release)[0] ?? '',
    group: quality.group ?? '',
    languages: languages(quality),
    downloaded: options.downloaded,
    pack: isPack(quality),
    failed: options.failedAt === undefined ? '' : failedText(options.failedAt),
    watched: options.leftAt === undefined ? '' : `left at ${formatTime(options.leftAt)}`,
    rejections,
    details: [...(options.explain?.(candidate) ?? []), ...details(candidate, options.now)],
  };
}

function badges(quality: Quality): Badge[] {
  const list: [Badge['kind'], string][] = [
    ['resolution', quality.resolution ?? ''],
    ['source', sourceText(quality)],
    ...quality.hdr.map((format): [Badge['kind'], string] => ['hdr', format]),
    ['codec', quality.codec ?? ''],
    ['audio', audioText(quality)],
    ['edition', editionText(quality)],
  ];
  return list.filter(([, text]) => text !== '').map(([kind, text]) => ({ kind, text }));
}

/** "BluRay Remux", "BluRay disc", "WEB-DL". */
function sourceText({ source, remux, disc }: Quality): string {
  return [source, remux && 'Remux', disc && 'disc'].filter(Boolean).join(' ');
}

/** The two best formats and the most channels: "Atmos TrueHD 7.1". */
function audioText({ audio, channels }: Quality): string {
  const most = [...channels].sort((a, b) => Number(b) - Number(a))[0];
  return [...audio.slice(0, 2), ...(most === undefined ? [] : [most])].join(' ');
}

/** The first edition, in short ("Collector's"), else what else sets this version apart. */
function editionText({ editions, threeD, hybrid, upscaled, revision }: Quality): string {
  const others = [threeD && '3D', upscaled && 'Upscaled', hybrid && 'Hybrid', revision > 0 && 'Proper'];
  const [first] = [...editions, ...others].filter((text) => typeof text === 'string');
  return first?.replace(/ Edition$/, '') ?? '';
}

/** "EN DE"; "MULTi" where the name says no more than that. */
function languages({ languages: spoken, multi, dual }: Quality): string {
  const named = spoken.map((code) => code.toUpperCase());
  return [...(multi ? ['MULTi'] : dual ? ['DUAL'] : []), ...named].join(' ');
}

/** A season, or several, rather than an episode. */
function isPack({ complete, seasons, episodes }: Quality): boolean {
  return complete || (seasons.length > 0 && episodes.length === 0);
}

function indexers({ links }: Release): string[] {
  return [...new Set(links.map(({ indexer }) => indexer))];
}

/** What the row itself has no room for. */
function details({ release, formats, score }: Candidate, now: number): Detail[] {
  const { quality, posted, grabs, poster, passworded } = release;
  const list: Readonly<Record<string, string | undefined>> = {
    Audio: [...quality.audio, ...quality.channels].join(', '),
    Languages: languages(quality),
    Subtitles: quality.subtitles.map((code) => code.toUpperCase()).join(' '),
    Edition: quality.editions.join(', '),
    Version: quality.revision > 0 ? `mended, revision ${quality.revision}` : '',
    'Bit depth': quality.bitDepth === undefined ? '' : `${quality.bitDepth} bit`,
    'Dolby Vision': quality.dolbyVisionProfile && `profile ${quality.dolbyVisionProfile}`,
    Service: quality.network,
    Container: quality.container?.toUpperCase(),
    Group: quality.group,
    Formats: formats.length === 0 ? '' : `${formats.join(', ')} (${score} points)`,
    Posted: posted === undefined ? '' : postedText(now - posted),
    Indexers: indexers(release).join(', '),
    Grabs: grabs?.toLocaleString('en'),
    'Posted by': poster,
    Password: passworded === true ? 'yes' : '',
  };
  return Object.entries(list)
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
    .map(([label, value]) => ({ label, value }));
}

const DAY_MS = 86_400_000;
const DAYS_PER_YEAR = 365;

/** "today", "3 d", "1.5 y". */
function formatAge(ms: number): string {
  const days = Math.max(0, Math.floor(ms / DAY_MS));
  if (days === 0) return 'today';
  return days < DAYS_PER_YEAR ? `${days} d` : `${(days / DAYS_PER_YEAR).toFixed(1)} y`;
}

/** "failed on 2 Nov", by this device's clock. */
function failedText(at: number): string {
  return `failed on ${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}`;
}

function postedText(ms: number): string {
  const age = formatAge(ms);
  return age === 'today' ? age : `${age} ago`;
}
