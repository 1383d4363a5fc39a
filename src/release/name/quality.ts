import {
  AUDIO_FORMATS,
  type AudioFormat,
  EDITIONS,
  HDR_FORMATS,
  type HdrFormat,
  type Quality,
  UNKNOWN_QUALITY,
} from '../../model/quality.ts';
import { trackLanguagesOf } from './languages.ts';
import type { AllTagFacts } from './tag-facts.ts';
import type { Tag } from './tags.ts';
import type { Token } from './tokens.ts';

/** A quality in the making: all fields are there from the beginning, so that all drafts have one shape. */
export type Draft = { -readonly [K in keyof Required<Quality>]: Quality[K] | Missing<K> };
type Missing<K extends keyof Quality> = undefined extends Quality[K] ? undefined : never;

const EMPTY: Draft = {
  ...UNKNOWN_QUALITY,
  year: undefined,
  date: undefined,
  resolution: undefined,
  source: undefined,
  codec: undefined,
  bitDepth: undefined,
  dolbyVisionProfile: undefined,
  group: undefined,
  network: undefined,
  container: undefined,
};

/** The draft without the fields that the name does not tell; always in one order, which the engine rewards. */
export function toQuality(draft: Draft): Quality {
  const {
    year,
    date,
    resolution,
    source,
    codec,
    bitDepth,
    dolbyVisionProfile,
    group,
    network,
    container,
    ...rest
  } = draft;
  const quality: Writable = rest;
  if (year !== undefined) quality.year = year;
  if (resolution !== undefined) quality.resolution = resolution;
  if (source !== undefined) quality.source = source;
  if (codec !== undefined) quality.codec = codec;
  if (group !== undefined) quality.group = group;
  if (bitDepth !== undefined) quality.bitDepth = bitDepth;
  if (network !== undefined) quality.network = network;
  if (container !== undefined) quality.container = container;
  if (dolbyVisionProfile !== undefined) quality.dolbyVisionProfile = dolbyVisionProfile;
  if (date !== undefined) quality.date = date;
  return quality;
}

type Writable = { -readonly [K in keyof Quality]: Quality[K] };

/** Puts together what the tags that count say. Where two contradict each other, the surer wins, then the first. */
export function qualityOf(tags: readonly Tag[], tokens: readonly Token[], isDisc: boolean): Draft {
  const draft: Draft = { ...EMPTY, disc: isDisc };
  for (const tag of tags) if (tag.trust === 'strong') addOnce(draft, tag.facts);
  for (const tag of tags) {
    if (tag.trust !== 'strong') addOnce(draft, tag.facts);
    addFlags(draft, tag.facts);
  }
  const { languages, subtitles } = trackLanguagesOf(tags, tokens);
  draft.languages = sorted(languages);
  draft.subtitles = sorted(subtitles);
  draft.hdr = preciseHdr(listed(tags, HDR_FORMATS, (facts) => facts.hdr));
  draft.audio = withoutCores(listed(tags, AUDIO_FORMATS, (facts) => facts.audio));
  draft.editions = listed(tags, EDITIONS, (facts) => facts.editions);
  draft.channels = channelsOf(tags);
  draft.disc ||= isUntouched(tags, draft);
  return draft;
}

const LOSSLESS: readonly AudioFormat[] = ['TrueHD', 'DTS:X', 'DTS-HD MA', 'DTS-HD HR', 'PCM'];

/** "1080p Blu-ray AVC DTS-HD MA 5.1": untouched picture and sound, and no remux, are the disc itself. */
function isUntouched(tags: readonly Tag[], { remux, audio }: Draft): boolean {
  if (remux || !audio.some((format) => LOSSLESS.includes(format))) return false;
  return (
    tags.some((tag) => tag.facts.pressed === true) &&
    tags.some((tag) => tag.facts.untouched === true) &&
    !tags.some((tag) => tag.facts.bitDepth !== undefined)
  );
}

/** Written out, because this runs for every tag of every name: a loop over the fields costs three times as much. */
function addOnce(draft: Draft, facts: AllTagFacts): void {
  draft.resolution ??= facts.resolution;
  draft.source ??= facts.source;
  draft.codec ??= facts.codec;
  draft.bitDepth ??= facts.bitDepth;
  draft.dolbyVisionProfile ??= facts.dolbyVisionProfile;
  draft.network ??= facts.network;
  draft.container ??= facts.container;
}

function addFlags(draft: Draft, facts: AllTagFacts): void {
  draft.complete ||= facts.complete === true;
  draft.remux ||= facts.remux === true;
  draft.disc ||= facts.disc === true;
  draft.hybrid ||= facts.hybrid === true;
  draft.upscaled ||= facts.upscaled === true;
  draft.threeD ||= facts.threeD === true;
  draft.multi ||= facts.multi === true;
  draft.dual ||= facts.dual === true;
  draft.proper ||= facts.proper === true;
  draft.repack ||= facts.repack === true;
  if (facts.revision !== undefined) draft.revision = Math.max(draft.revision, facts.revision);
}

const NONE: readonly never[] = [];

const sorted = (values: ReadonlySet<string>): readonly string[] =>
  values.size === 0 ? NONE : [...values].sort();

/** What the tags list, in the vocabulary's order. */
function listed<T>(
  tags: readonly Tag[],
  order: readonly T[],
  of: (facts: AllTagFacts) => readonly T[] | undefined,
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
