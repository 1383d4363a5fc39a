import { expect, test } from 'vitest';
import { MAX_STARTED, StartedStreams } from '../../src/service/started-streams.ts';

const urlOf = (number: number) => `http://127.0.0.1:1/stream/${number}/Sintel.mkv`;

test('of the streams that have begun the last ones are known', () => {
  const begun = new StartedStreams();
  begun.add(urlOf(0));
  for (let number = 1; number < MAX_STARTED; number++) begun.add(urlOf(number));
  begun.add(urlOf(0));
  begun.add(urlOf(MAX_STARTED));
  const known = [0, 1, 2, MAX_STARTED].map((number) => begun.has(urlOf(number)));
  expect(known).toEqual([true, false, true, true]);
});
