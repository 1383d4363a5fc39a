import { type CustomFormat, importFormats } from '../src/release/index.ts';

const SOUNDS = [
  'TrueHD',
  'Atmos',
  'DTS[ .-]?HD[ .-]?MA',
  'DTS[ .-]?X',
  'DD[P+]',
  'AAC',
  'FLAC',
  '(?:L?)PCM',
  'Opus',
];
const SERVICES = ['AMZN', 'NF', 'DSNP', 'ATVP', 'HMAX', 'MAX', 'HULU', 'iP', 'PCOK', 'PMTP', 'STAN', 'CR'];
const EDITIONS = [
  'IMAX',
  'Criterion',
  'Open[ ._-]?Matte',
  'Extended',
  'Remaster(?:ed)?',
  'Special[ ._-]?Edition',
];
const RANGES = ['DV|DoVi|Dolby[ .]?V(?:ision)?', 'HDR10(?:\\+|P(?:lus)?)', 'HDR(?:10)?', 'HLG', 'SDR', 'PQ'];
const UNWANTED = [
  '3D',
  '(?:x|h)[ .]?265',
  'AV1',
  'Upscaled?',
  'HC|HardSub',
  'Sample',
  'Extras?',
  'Line(?:d)?',
];
const LANGUAGES = ['German', 'French|TRUEFRENCH|VF[FIQ2]?', 'iTALiAN', 'MULTi', '(?<=German.*)\\bDL\\b'];
const TIERS = 4;
const GROUPS_PER_TIER = 40;

/** Fifty, of the kinds and the size that people import: some hundred patterns, many of them asked by several. */
export function fiftyFormats(): readonly CustomFormat[] {
  const others = (all: readonly string[], own: string) =>
    all.filter((word) => word !== own).map((word) => named(word, { negate: true, required: true }));
  const json = [
    ...SOUNDS.map((word) => format(word, [named(word, { required: true }), ...others(SOUNDS, word)])),
    ...SERVICES.map((word) => format(word, [named(word, { required: true }), source(7), source(8)])),
    ...EDITIONS.map((word) => format(word, [named(word), negated('\\b(?:TS|CAM)\\b')])),
    ...RANGES.map((word) => format(word, [named(word, { required: true }), negated('\\bSDR\\b')])),
    ...UNWANTED.map((word) => format(word, [named(word), negated('^(?=.*\\b2160p\\b)(?=.*\\bremux\\b)')])),
    ...LANGUAGES.map((word) => format(word, [named(word), negated('\\bsub(?:bed|s)?\\b')])),
    ...Array.from({ length: TIERS }, (_, tier) => format(`Tier ${tier}`, groups(tier))),
  ];
  const { formats, refused } = importFormats(JSON.stringify(json), 'radarr');
  if (refused.length > 0 || formats.length !== 50)
    throw new Error(`not fifty formats: ${JSON.stringify(refused)}`);
  return formats;
}

const format = (name: string, specifications: readonly object[]) => ({
  name,
  specifications,
  trash_scores: { default: name.length * 10 },
});

const condition = (implementation: string, value: unknown, flags: object = {}) => ({
  name: implementation,
  implementation,
  negate: false,
  required: false,
  ...flags,
  fields: { value },
});

const named = (word: string, flags: object = {}) =>
  condition('ReleaseTitleSpecification', `\\b(?:${word})(?:\\b|\\d)`, flags);
const negated = (pattern: string) =>
  condition('ReleaseTitleSpecification', pattern, { negate: true, required: true });
const source = (id: number) => condition('SourceSpecification', id);
const groups = (tier: number) =>
  Array.from({ length: GROUPS_PER_TIER }, (_, index) =>
    condition('ReleaseGroupSpecification', `^(GROUP${tier * GROUPS_PER_TIER + index})$`),
  );
