import { expect, test } from 'vitest';
import { headingOf } from '../../src/host/heading.ts';

test.each([
  ['what it is called', { title: 'Indexer address' }, 'Indexer address'],
  ['all of the help', { title: 'Key', help: 'From your page. Long.' }, 'Key. From your page. Long.'],
  [
    'whole sentences of it',
    { title: 'Key', help: `From your page. ${'x'.repeat(60)}.` },
    'Key. From your page.',
  ],
  ['none that is too long', { title: 'Key', help: `${'x'.repeat(80)}.` }, 'Key'],
])('a heading shows %s', (_, question, heading) => {
  expect(headingOf(question)).toBe(heading);
});
