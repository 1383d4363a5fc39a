import type { DirectService, Serving } from '../../model/index.ts';

/**
 * How a service serves what it gives to be played (protocols.md §2.10, §8.6, §8.11). What nobody knows may fill lost
 * articles in, and may fetch far more than it is asked for.
 */
export const servingOf = (service: DirectService | undefined): Serving => ({
  look: 'dear',
  windows: service === 'altmount',
  zeroFills: true,
  complete: true,
});
