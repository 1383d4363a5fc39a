import { expect, test } from 'vitest';
import { watchUnplayed } from '../../src/service/watch-unplayed.ts';
import { recordingHost } from '../support/recording-host.ts';

const URL_A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const URL_B = 'http://127.0.0.1:1/stream/b/Spring.mkv';

function setUp() {
  const { properties, propertyValues } = recordingHost();
  const state = { now: 0, current: undefined as string | undefined };
  const look = watchUnplayed(
    properties,
    (url) => url === state.current,
    60_000,
    () => state.now,
  );
  return { look, values: propertyValues, state };
}

test('withdraws an announced stream that nobody opened for a minute', async () => {
  const { look, values, state } = setUp();
  values.set('svc.stream_url', URL_A).set('svc.active', 'true');
  expect(await look()).toBeUndefined();
  state.now = 59_999;
  expect(await look()).toBeUndefined();
  state.now = 60_000;
  expect(await look()).toBe(URL_A);
  expect([...values.keys()]).toEqual([]);
});

test('never withdraws the stream that plays', async () => {
  const { look, values, state } = setUp();
  values.set('svc.stream_url', URL_A).set('svc.active', 'true');
  state.current = URL_A;
  await look();
  state.now = 10_000_000;
  expect(await look()).toBeUndefined();
  expect(values.get('svc.stream_url')).toBe(URL_A);
});

test('counts the minute anew for each stream', async () => {
  const { look, values, state } = setUp();
  values.set('svc.stream_url', URL_A);
  await look();
  state.now = 50_000;
  values.set('svc.stream_url', URL_B);
  await look();
  state.now = 100_000;
  expect(await look()).toBeUndefined();
  state.now = 110_000;
  expect(await look()).toBe(URL_B);
});
