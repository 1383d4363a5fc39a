import { servingOf } from '../../src/backends/direct-stream/serving.ts';
import type { DirectService } from '../../src/model/index.ts';
import type { PlayedBy } from '../service.ts';

/** Runs of each figure of direct streams. */
export const RUNS = 7;
export const MB = 1_000_000;

/** An address that a service gave to be played. @param service Absent: one that nobody knows. */
export const playedBy = (service?: DirectService): PlayedBy => ({
  opening: { who: 'Example', wait: 10_000 },
  serving: servingOf(service),
});
