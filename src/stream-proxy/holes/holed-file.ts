import type { PlanFill } from '../../media/fill-types.ts';
import type { RangedReader } from '../../media/ranged-reader.ts';
import type { FillPolicy } from '../policy/fills.ts';
import type { ByteSource } from '../source/source.ts';

/** The file whose holes are looked into, and the rules for what may stand in them. */
export interface HoledFile {
  readonly source: ByteSource;
  readonly size: number;
  readonly mime: string;
  readonly policy: FillPolicy;
  readonly planFill: PlanFill;
  /** As players get it. */
  readonly file: RangedReader;
}
