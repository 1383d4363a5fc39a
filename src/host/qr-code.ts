import { encode } from 'uqr';

/** Modules of white around it, without which a reader may not find it (ISO/IEC 18004, 5.3.8). */
const QUIET_ZONE = 4;

/** A QR code of the text, with its quiet zone: rows of modules, true for black. */
export function qrCode(text: string): readonly (readonly boolean[])[] {
  // M mends what a glossy screen takes away.
  return encode(text, { ecc: 'M', border: QUIET_ZONE }).data;
}
