import { expect, test } from 'vitest';
import { SlipstreamError } from '../../../src/errors/index.ts';
import { type TestedService, testedRow } from '../../../src/setup/testing/test-all.ts';

const failure = (what: string) => new SlipstreamError('SERVICE_ERROR', { what, next: 'Test it there.' });

test('a row tells what does not work though films play, beside what was found', () => {
  const tested = {
    thing: { name: 'Prowlarr' } as TestedService['thing'],
    checks: [
      { what: 'The address of Prowlarr', found: 'Prowlarr 2' },
      { what: 'Meadow by Prowlarr', isOneOfMany: true },
      { what: 'Burrow by Prowlarr', isOneOfMany: true, failure: failure('Burrow rests.') },
      { what: 'Its own check', isNote: true, failure: failure('Prowlarr complains.') },
    ],
  } satisfies TestedService;
  expect(testedRow(tested, [tested])).toEqual({
    id: '0',
    label: 'Prowlarr',
    detail: 'works, Prowlarr 2, 1 of 2 behind it can be asked, but: Prowlarr complains.',
  });
});
