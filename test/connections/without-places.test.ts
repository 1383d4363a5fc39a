import { expect, test } from 'vitest';
import { withoutPlaces } from '../../src/connections/without-places.ts';
import { SlipstreamError } from '../../src/errors/index.ts';

test.each([
  [
    'Open the settings of Slipstream (Connection) and enter the API key of X again. It is shown there.',
    'Enter the API key of X again. It is shown there.',
  ],
  ['Check its address in the settings of Slipstream (Connection).', 'Check its address.'],
  ['Enter that as its address in the list of indexers in Slipstream.', 'Enter that as its address.'],
  [
    'Copy the whole address into the settings of Slipstream (Connection): it is long.',
    'Copy the whole address: it is long.',
  ],
  ['Copy it from X. Enter it in the settings of Slipstream (Backends).', 'Copy it from X.'],
  ['Copy both from X. Enter both in the settings of Slipstream (Backends).', 'Copy both from X.'],
  ['Enter one in the settings of Slipstream (Backends): a, b.', 'Enter one: a, b.'],
])('a test sends nobody away from what they have before them: %s', (next, here) => {
  const failure = new SlipstreamError('UNREACHABLE', { what: 'It is not there.', next });
  const [check] = withoutPlaces([{ what: 'The address', setting: 'prowlarr_url', failure }]);
  expect(check).toMatchObject({ what: 'The address', setting: 'prowlarr_url' });
  expect(check?.failure?.explanation).toEqual({ what: 'It is not there.', next: here });
  expect(check?.failure?.code).toBe('UNREACHABLE');
});

test('what names no place stays as it is', () => {
  const failure = new SlipstreamError('AUTH_FAILED', {
    what: 'Refused.',
    next: 'Copy it from the settings of X.',
  });
  const checks = [{ what: 'Works' }, { what: 'Does not', failure }];
  const shown = withoutPlaces(checks);
  expect(shown).toEqual(checks);
  expect(shown[1]?.failure).toBe(failure);
});
