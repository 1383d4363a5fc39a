import { hasFallback } from '../dolby-vision.ts';
import type { Allowed } from '../preferences.ts';
import type { Rule } from './rule.ts';

/** A disc with its menus: only a name that says so is taken for one. */
export const discRule: Rule = ({ release, preferences }) =>
  release.quality.disc && !preferences.discs ? 'A whole disc' : undefined;

/** Not in the name: a switch of its own. */
export const resolutionRule: Rule = ({ release, preferences }) =>
  notAllowed(release.quality.resolution, preferences.resolutions, 'Resolution');

/** A remux counts as one wherever it is from. Not in the name: a switch of its own. */
export const sourceRule: Rule = ({ release: { quality }, preferences }) =>
  notAllowed(quality.remux ? 'Remux' : quality.source, preferences.sources, 'Source');

/**
 * One kind that is allowed is enough: the screen takes it. Dolby Vision that has no other kind inside needs a switch
 * more. A name without any is mostly SDR, but need not be: a switch of its own.
 */
export const hdrRule: Rule = ({ release: { quality }, preferences }) => {
  const reason = noneAllowed(quality.hdr, preferences.hdr, 'Dynamic range');
  if (reason !== undefined || preferences.dolbyVisionAlone) return reason;
  return quality.hdr.includes('DV') && !hasFallback(quality)
    ? 'DV without fallback is switched off'
    : undefined;
};

/** One kind that is allowed is enough: there is a track of it. Not in the name: a switch of its own. */
export const audioRule: Rule = ({ release, preferences }) =>
  noneAllowed(release.quality.audio, preferences.audio, 'Sound');

/** Not in the name: a switch of its own. */
export const codecRule: Rule = ({ release, preferences }) =>
  notAllowed(release.quality.codec, preferences.codecs, 'Video format');

/** Flat unless the name says otherwise. */
export const threeDRule: Rule = ({ release, preferences }) =>
  release.quality.threeD && !preferences.threeD ? '3D is switched off' : undefined;

/** Genuine unless the name says otherwise. */
export const upscaledRule: Rule = ({ release, preferences }) =>
  release.quality.upscaled && !preferences.upscaled ? 'Upscaled is switched off' : undefined;

function notAllowed<T extends string>(value: T | undefined, allowed: Allowed<T>, what: string) {
  return noneAllowed(value === undefined ? [] : [value], allowed, what);
}

function noneAllowed<T extends string>(values: readonly T[], allowed: Allowed<T>, what: string) {
  if (values.length === 0) return allowed.unknown ? undefined : `${what} not known`;
  if (values.some((value) => allowed.values.has(value))) return undefined;
  return `${values.join(' and ')} ${values.length === 1 ? 'is' : 'are'} switched off`;
}
