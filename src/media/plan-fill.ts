import { ownValue } from '../io/own-property.ts';
import type { Fill, FillRefusal, Hole, PlanFill } from './fill-types.ts';
import { planMatroskaFill } from './matroska/plan-matroska.ts';
import { planMp4Fill } from './mp4/plan-mp4.ts';
import { planMpegTsFill } from './mpegts/plan-mpegts.ts';
import type { RangedReader } from './ranged-reader.ts';

type Plan = (hole: Hole, file: RangedReader, signal: AbortSignal) => Promise<Fill | FillRefusal>;

const PLANS: Readonly<Record<string, Plan>> = {
  'video/x-matroska': planMatroskaFill,
  'video/webm': planMatroskaFill,
  'video/mp2t': planMpegTsFill,
  'video/mp4': planMp4Fill,
  'video/quicktime': planMp4Fill,
};

/**
 * How players of this kind of file (MIME type, see mime.ts) best get over a hole. At most 8 MiB are read on each side
 * of it. What the reader refuses is taken for missing, so that this rejects on abort only.
 */
export const planFill: PlanFill = async (mime, hole, file, signal) => {
  const plan = ownValue(PLANS, mime);
  return plan === undefined
    ? { refused: `nothing is known about holes in ${mime}` }
    : await plan(hole, file, signal);
};
