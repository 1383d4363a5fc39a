import { expect, test } from 'vitest';
import { handOver, resolver, withdraw } from '../../src/resolver.ts';
import { recordingHost } from '../support/recording-host.ts';

const URL_A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const ITEM = { stream: { url: URL_A, mime: 'video/x-matroska', size: 10 }, title: 'Sintel (2010)' };

test.each(['resolve', 'player'] as const)('announces the stream before the %s gets it', async (outlet) => {
  const host = recordingHost();
  const atHandOver: [string, string][][] = [];
  const remember = () => {
    atHandOver.push([...host.propertyValues]);
    return Promise.resolve();
  };
  await handOver(ITEM, outlet, { ...host, resolve: remember, play: remember }, resolver);
  expect(Object.fromEntries(atHandOver[0] ?? [])).toEqual({ 'svc.active': 'true', 'svc.stream_url': URL_A });
});

test('a host that refuses leaves nothing announced', async () => {
  const host = recordingHost();
  const refuse = () => Promise.reject(new Error('refused'));
  await expect(handOver(ITEM, 'resolve', { ...host, resolve: refuse }, resolver)).rejects.toThrow('refused');
  expect([...host.propertyValues]).toEqual([]);
});

test('withdrawing one stream leaves another that was announced since', async () => {
  const { properties, propertyValues } = recordingHost();
  propertyValues.set('svc.stream_url', 'http://127.0.0.1:1/stream/b/Spring.mkv').set('svc.active', 'true');
  await withdraw(URL_A, properties);
  expect(propertyValues.size).toBe(2);
});
