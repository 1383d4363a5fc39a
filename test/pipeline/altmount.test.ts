import { expect, test } from 'vitest';
import { ALTMOUNT, whenQuery } from '../../sandbox/index.ts';
import { expectNothingLeft, pipeline, SINTEL } from './set-up.ts';

test('AltMount plays with the default categories of both sides', async () => {
  const p = await pipeline({ dialect: ALTMOUNT });
  expect(await p.resolve(SINTEL)).toBe(true);
  expect(p.host.notified).toEqual([]);
});

test('a category that AltMount does not have ends the play: no further release is spent', async () => {
  const settings = { webdav_movie_category: 'films', max_attempts: '3' };
  const p = await pipeline({ settings, dialect: ALTMOUNT });
  expect(await p.resolve(SINTEL)).toBe(false);
  expect(p.host.notified).toMatchObject([{ what: 'AltMount has no category "films".' }]);
  expect(p.sandbox.requests.filter(whenQuery('t', 'get'))).toHaveLength(1);
  await expectNothingLeft(p);
});

test('an AltMount whose provider is away is told as that, once two releases have failed so', async () => {
  const p = await pipeline({ settings: { max_attempts: '3' }, dialect: ALTMOUNT });
  p.sandbox.faults.provider = 'away';
  expect(await p.resolve(SINTEL)).toBe(false);
  const [told] = p.host.notified;
  expect(`${String(told?.what)} ${String(told?.next)}`).toContain(
    "or AltMount's usenet provider does not answer or refuses its login",
  );
  await expectNothingLeft(p);
});
