import { RESOLUTIONS, type Resolution } from '../model/index.ts';
import type { Settings } from '../settings/index.ts';

/** What the person lets through. */
export interface Preferences {
  readonly resolutions: ReadonlySet<Resolution>;
  /** Whether a name that tells no resolution passes. */
  readonly unknownResolution: boolean;
  /** Bytes; undefined: no limit. */
  readonly minSize?: number;
  readonly maxSize?: number;
  /** As the person wrote them. */
  readonly requiredWords: readonly string[];
  readonly excludedWords: readonly string[];
}

/** As media centres count. */
export const MEGABYTE = 1024 * 1024;

type Relevant = Pick<
  Settings,
  | 'allow_2160p'
  | 'allow_1080p'
  | 'allow_720p'
  | 'allow_sd'
  | 'allow_unknown_resolution'
  | 'min_size_mb'
  | 'max_size_mb'
  | 'required_words'
  | 'excluded_words'
>;

/** Limits that contradict each other (largest below smallest) are both ignored: nothing could pass them. */
export function preferencesOf(settings: Relevant): Preferences {
  const allowed: Readonly<Record<Resolution, boolean>> = {
    '2160p': settings.allow_2160p,
    '1080p': settings.allow_1080p,
    '720p': settings.allow_720p,
    '576p': settings.allow_sd,
    '480p': settings.allow_sd,
  };
  const { min_size_mb: min, max_size_mb: max } = settings;
  const contradictory = max > 0 && max < min;
  return {
    resolutions: new Set(RESOLUTIONS.filter((resolution) => allowed[resolution])),
    unknownResolution: settings.allow_unknown_resolution,
    ...(min > 0 && !contradictory && { minSize: min * MEGABYTE }),
    ...(max > 0 && !contradictory && { maxSize: max * MEGABYTE }),
    requiredWords: wordList(settings.required_words),
    excludedWords: wordList(settings.excluded_words),
  };
}

function wordList(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
