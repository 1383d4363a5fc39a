import * as v from 'valibot';
import { RESOLUTIONS } from '../../model/index.ts';

/**
 * A custom format in our own terms: a name, points, and conditions. Conditions of one kind are alternatives, unless
 * one of them is required; of each kind that there is, at least one has to hold.
 */
const Name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200));
const Common = { name: v.pipe(v.string(), v.maxLength(200)), negate: v.boolean(), required: v.boolean() };
const Text = v.pipe(v.string(), v.maxLength(5_000));
const Amount = v.pipe(v.number(), v.finite());

/** Where a release is from, as Radarr and Sonarr tell it apart. */
export const FORMAT_SOURCES = [
  'cam',
  'telesync',
  'telecine',
  'workprint',
  'dvd',
  'tv',
  'raw-tv',
  'web-dl',
  'webrip',
  'bluray',
  /** Sonarr counts remuxes apart, Radarr does not. */
  'bluray-encode',
  'bluray-remux',
] as const;

export const FormatCondition = v.variant('kind', [
  v.object({ ...Common, kind: v.literal('name'), pattern: Text }),
  v.object({ ...Common, kind: v.literal('group'), pattern: Text }),
  v.object({ ...Common, kind: v.literal('edition'), pattern: Text }),
  v.object({
    ...Common,
    kind: v.literal('language'),
    /** ISO 639-1, "original", "any" or "unknown". */
    language: v.pipe(v.string(), v.maxLength(10)),
    /** Any language but this one. */
    except: v.boolean(),
  }),
  v.object({ ...Common, kind: v.literal('source'), source: v.picklist(FORMAT_SOURCES) }),
  v.object({ ...Common, kind: v.literal('resolution'), resolution: v.picklist(RESOLUTIONS) }),
  v.object({
    ...Common,
    kind: v.literal('modifier'),
    modifier: v.picklist(['none', 'screener', 'raw-tv', 'disc', 'remux']),
  }),
  /** Bytes: more than min, at most max. */
  v.object({ ...Common, kind: v.literal('size'), min: Amount, max: Amount }),
  v.object({ ...Common, kind: v.literal('year'), min: Amount, max: Amount }),
  /** What trackers say of a torrent; no post on usenet has it. */
  v.object({ ...Common, kind: v.literal('flag') }),
  v.object({
    ...Common,
    kind: v.literal('extent'),
    extent: v.picklist(['unknown', 'episode', 'episodes', 'season']),
  }),
]);
export type FormatCondition = Readonly<v.InferOutput<typeof FormatCondition>>;

export const CustomFormat = v.object({
  name: Name,
  score: v.pipe(Amount, v.minValue(-1_000_000), v.maxValue(1_000_000)),
  conditions: v.pipe(v.array(FormatCondition), v.minLength(1), v.maxLength(500)),
  enabled: v.exactOptional(v.boolean()),
});
export interface CustomFormat {
  readonly name: string;
  /** Points that a release gets for it. */
  readonly score: number;
  readonly conditions: readonly FormatCondition[];
  /** Whether it counts; absent: it does. */
  readonly enabled?: boolean;
}
