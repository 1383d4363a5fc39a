import {
  AUDIO_FORMATS,
  type AudioFormat,
  EDITIONS,
  HDR_FORMATS,
  type HdrFormat,
  type Quality,
  UNKNOWN_QUALITY,
} from '../../model/quality.ts';
import { tongues } from './languages.ts';
import type { Facts, Tag } from './tags.ts';
import type { Token } from './tokens.ts';

/** A quality in the making. */
export type Draft = { -readonly [K in keyof Quality]: Quality[K] };

/** Puts together what the tags that count say. Where two contradict each other, the surer wins, then the first. */
export function qualityOf(tags: readonly Tag[], tokens: readonly Token[], isDisc: boolean): Draft {
  const draft: Draft = { ...UNKNOWN_QUALITY, disc: isDisc };
  for (const tag of tags) if (tag.trust === 'strong') addOnce(draft, tag.facts);
  for (const tag of tags) {
    if (tag.trust !== 'strong') addOnce(draft, tag.facts);
    addFlags(draft, tag.facts);
  }
  const { languages, subtitles } = tongues(tags, tokens);
  draft.languages = sorted(languages);
  draft.subtitles = sorted(subtitles);
  draft.hdr = preciseHdr(listed(tags, HDR_FORMATS, (facts) => facts.hdr));
  draft.audio = withoutCores(listed(tags, AUDIO_FORMATS, (facts) => facts.audio));
  draft.editions = listed(tags, EDITIONS, (facts) => facts.editions);
  draft.channels = channelsOf(tags);
  // "COMPLETE.BLURAY" is about the disc, not about a season.
  if (draft.disc) draft.complete = false;
  return draft;
}

const ONCE = [
  'resolution',
  'source',
  'codec',
  'bitDepth',
  'dolbyVisionProfile',
  'network',
  'container',
] as const;

function addOnce(draft: Draft, facts: Facts): void {
  for (const field of ONCE) {
    if (facts[field] !== undefined && draft[field] === undefined)
      Object.assign(draft, { [field]: facts[field] });
  }
}

const FLAGS = [
  'complete',
  'remux',
  'disc',
  'hybrid',
  'upscaled',
  'threeD',
  'multi',
  'dual',
  'proper',
  'repack',
] as const;

function addFlags(draft: Draft, facts: Facts): void {
  for (const field of FLAGS) if (facts[field] === true) draft[field] = true;
  if (facts.revision !== undefined) draft.revision = Math.max(draft.revision, facts.revision);
}

const NONE: readonly never[] = [];

const sorted = (values: ReadonlySet<string>): readonly string[] =>
  values.size === 0 ? NONE : [...values].sort();

/** What the tags list, in the vocabulary's order. */
function listed<T>(
  tags: readonly Tag[],
  order: readonly T[],
  of: (facts: Facts) => readonly T[] | undefined,
): readonly T[] {
  const found: T[] = [];
  for (const tag of tags) found.push(...(of(tag.facts) ?? NONE));
  return found.length < 2 ? found : order.filter((value) => found.includes(value));
}

function channelsOf(tags: readonly Tag[]): readonly string[] {
  const found = new Set<string>();
  for (const { facts } of tags) if (facts.channels !== undefined) found.add(facts.channels);
  return [...found].sort().reverse();
}

function preciseHdr(formats: readonly HdrFormat[]): readonly HdrFormat[] {
  if (!formats.includes('HDR10') && !formats.includes('HDR10+')) return formats;
  return formats.filter((format) => format !== 'HDR');
}

const DTS: readonly AudioFormat[] = ['DTS:X', 'DTS-HD MA', 'DTS-HD HR', 'DTS-HD', 'DTS'];

/** Every DTS holds the plainer ones in it. */
function withoutCores(formats: readonly AudioFormat[]): readonly AudioFormat[] {
  if (formats.length < 2) return formats;
  const best = DTS.find((format) => formats.includes(format));
  return formats.filter((format) => !DTS.includes(format) || format === best);
}
