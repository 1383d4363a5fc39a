import { describe, expect, test } from 'vitest';
import { createMonitor, type PlaybackMonitor } from '../../src/service/monitor.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const A = 'http://127.0.0.1:1/stream/a/Sintel.mkv';
const B = 'http://127.0.0.1:1/stream/b/Spring.mkv';
const FOREIGN = 'plugin://plugin.video.themoviedb.helper/dummy.mp4';

function setUp(resumed?: string) {
  const { properties, propertyValues } = recordingHost();
  const ended: string[] = [];
  const changes: (string | undefined)[] = [];
  const monitor = createMonitor({
    properties,
    log: memoryLog(),
    resumed,
    onChange: (playing) => changes.push(playing),
    onEnd: (url) => ended.push(url),
  });
  const announce = (url: string) => {
    propertyValues.set('svc.stream_url', url);
    propertyValues.set('svc.active', 'true');
  };
  return { monitor, values: propertyValues, ended, changes, announce };
}

async function take(
  monitor: PlaybackMonitor,
  ...events: [Parameters<PlaybackMonitor['take']>[0]['kind'], string][]
) {
  for (const [kind, file] of events) monitor.take({ kind, file });
  await monitor.settled();
}

const PROPERTIES = ['svc.active', 'svc.stream_url', 'svc.playing'];
const raised = (values: Map<string, string>) => PROPERTIES.filter((name) => values.has(name));

describe('the playback monitor', () => {
  test('raises svc.playing while our stream plays and clears all three after its stop', async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['av-started', A]);
    expect(values.get('svc.playing')).toBe('true');
    await take(monitor, ['stopped', '']);
    expect(raised(values)).toEqual([]);
    expect(ended).toEqual([A]);
  });

  test.each(['ended', 'error'] as const)('clears all three after "%s" too', async (kind) => {
    const { monitor, values, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], [kind, '']);
    expect(raised(values)).toEqual([]);
  });

  test("leaves another add-on's playback alone", async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', FOREIGN], ['av-started', FOREIGN], ['stopped', '']);
    expect(raised(values)).toEqual(['svc.active', 'svc.stream_url']);
    expect(ended).toEqual([]);
  });

  test('a film that is replaced by a foreign one has ended', async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['started', FOREIGN]);
    expect(raised(values)).toEqual([]);
    expect(ended).toEqual([A]);
  });

  test("the stop of film A while film B is being set up leaves B's announcement", async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A]);
    announce(B);
    await take(monitor, ['stopped', '']);
    expect(ended).toEqual([A]);
    expect(values.get('svc.stream_url')).toBe(B);
    expect(values.get('svc.active')).toBe('true');
    expect(values.has('svc.playing')).toBe(false);
  });

  test('a late stop of film A, heard while B already plays, leaves B playing', async () => {
    const { monitor, values, ended, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A]);
    announce(B);
    await take(monitor, ['started', B], ['stopped', B]);
    expect(ended).toEqual([A]);
    expect(monitor.current()).toBe(B);
    expect(values.get('svc.playing')).toBe('true');
    expect(values.get('svc.stream_url')).toBe(B);
  });

  test('a replacement engine still knows the film that plays', async () => {
    const { monitor, ended, announce } = setUp(A);
    announce(A);
    await take(monitor, ['stopped', '']);
    expect(ended).toEqual([A]);
  });

  test('tells each change, so that it can be kept for a replacement', async () => {
    const { monitor, changes, announce } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['av-started', A], ['stopped', '']);
    expect(changes).toEqual([A, undefined]);
  });
});
