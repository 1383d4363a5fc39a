import { expect, test } from 'vitest';
import { servingOf } from '../../../src/backends/direct-stream/serving.ts';

test.each([
  { service: 'altmount', windows: true },
  { service: 'streamnzb', windows: false },
  { service: 'aiostreams', windows: false },
  // One that nobody knows may do what the worst of them do.
  { service: undefined, windows: false },
] as const)('$service is looked at with care, and fills lost articles in', ({ service, windows }) => {
  expect(servingOf(service)).toEqual({ look: 'dear', windows, zeroFills: true, complete: true });
});
