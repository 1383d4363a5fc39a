import type { Quality } from '../model/index.ts';

/**
 * Whether a screen without Dolby Vision shows the right colours: the name says another kind beside it, or its profile
 * has one inside (7 and 8; 5 has none), or it is from a disc, where HDR10 is always beneath.
 */
export function hasFallback({ hdr, dolbyVisionProfile, source, remux }: Quality): boolean {
  if (hdr.length > 1) return true;
  if (dolbyVisionProfile !== undefined) return /^[78]/.test(dolbyVisionProfile);
  return remux || source === 'BluRay';
}
