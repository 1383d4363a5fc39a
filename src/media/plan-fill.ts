import { own } from '../io/own.ts';
import type { Fill, Hole, NoFill, PlanFill } from './fill.ts';
import { planMatroska } from './matroska/plan.ts';
import { planMp4 } from './mp4/plan.ts';
import { planMpegTs } from './mpegts/plan.ts';
import type { RangedReader } from './ranged-reader.ts';

type Plan = (hole: Hole, file: RangedReader, signal: AbortSignal) => Promise<Fill | NoFill>;

const PLANS: Readonly<Record<string, Plan>> = {
  'video/x-matroska': planMatroska,
  'video/webm': planMatroska,
  'video/mp2t': planMpegTs,
  'video/mp4': planMp4,
  'video/quicktime': planMp4,
};

/**
 * How players of this kind of file (MIME type, see mime.ts) best get over a hole. At most 8 MiB are read on each side
 * of it. What the reader refuses is taken for missing, so that this rejects on abort only.
 */
export const planFill: PlanFill = async (mime, hole, file, signal) => {
  const plan = own(PLANS, mime);
  return plan === undefined
    ? { refused: `nothing is known about holes in ${mime}` }
    : await plan(hole, file, signal);
};
