import { describe, expect, test } from 'vitest';
import { CancelledError, SlipstreamError } from '../../src/errors/index.ts';
import type { PlayItem } from '../../src/host/port.ts';
import { type Entry, route, router } from '../../src/router.ts';
import { memoryLog } from '../support/log.ts';
import { recordingHost } from '../support/recording-host.ts';

const ENTRY: Entry = { kind: 'direct-play', url: 'http://127.0.0.1:1/a.mkv', title: 'a' };
const ITEM: PlayItem = {
  stream: { url: 'http://127.0.0.1:1/stream/x/a.mkv', mime: 'video/mp4', size: 1 },
  title: 'a',
};

async function run(outlet: 'resolve' | 'player', playEntry: typeof router.playEntry, parse = () => ENTRY) {
  const host = recordingHost();
  const log = memoryLog();
  const played = await route(parse, outlet, host, log, { ...router, playEntry });
  return { host, log, played };
}

/** A play whose job remembers what became of it. */
function pending() {
  const fate: string[] = [];
  const settle = (what: string) => () => {
    fate.push(what);
    return Promise.resolve();
  };
  return { fate, play: { item: ITEM, commit: settle('kept'), discard: settle('removed') } };
}

const failing = (error: Error) => () => Promise.reject(error);
const FAILURES: [string, Error][] = [
  ['a failure with a code', new SlipstreamError('UNREACHABLE', { what: 'It is away.', next: 'Start it.' })],
  ['a defect of ours', new TypeError('undefined is not a function')],
  ['a cancel', new CancelledError('person')],
  ['a shutdown', new CancelledError('shutdown')],
];

describe('always resolve the handle', () => {
  test('with the stream on success, once', async () => {
    const { host, played } = await run('resolve', () => Promise.resolve(pending().play));
    expect(played).toBe(true);
    expect(host.resolved).toEqual([ITEM]);
  });

  test.each(FAILURES)('with nothing after %s, once', async (_what, error) => {
    const { host, played } = await run('resolve', failing(error));
    expect(played).toBe(false);
    expect(host.resolved).toEqual([undefined]);
    expect(host.propertyValues.size).toBe(0);
  });

  test('with nothing when the parameters make no sense', async () => {
    const { host } = await run('resolve', failing(new Error('never reached')), () => {
      throw new SlipstreamError('INVALID_REQUEST', { what: 'The title is missing.', next: 'Choose one.' });
    });
    expect(host.resolved).toEqual([undefined]);
    expect(host.notified).toEqual([{ what: 'The title is missing.', next: 'Choose one.' }]);
  });

  test('also when the notification itself fails', async () => {
    const host = recordingHost();
    const refusing = { ...host, notify: () => Promise.reject(new Error('refused')) };
    const stages = { ...router, playEntry: failing(new Error('x')) };
    await expect(route(() => ENTRY, 'resolve', refusing, memoryLog(), stages)).rejects.toThrow('refused');
    expect(host.resolved).toEqual([undefined]);
  });
});

describe('the job behind a stream', () => {
  test('stays once the stream was handed over', async () => {
    const { fate, play } = pending();
    await run('resolve', () => Promise.resolve(play));
    expect(fate).toEqual(['kept']);
  });

  test('is removed when the host does not take the stream', async () => {
    const { fate, play } = pending();
    const host = { ...recordingHost(), resolve: () => Promise.reject(new Error('refused')) };
    const stages = { ...router, playEntry: () => Promise.resolve(play) };
    await route(() => ENTRY, 'resolve', host, memoryLog(), stages).catch(() => undefined);
    expect(fate).toEqual(['removed']);
  });
});

describe('what the person is told', () => {
  test('a failure shows one message with what failed and the next step', async () => {
    const { host } = await run('resolve', failing(FAILURES[0]![1]));
    expect(host.notified).toEqual([{ what: 'It is away.', next: 'Start it.' }]);
  });

  test("the person's own cancel shows none on the handle path and one on the script path", async () => {
    expect((await run('resolve', failing(new CancelledError('person')))).host.notified).toEqual([]);
    expect((await run('player', failing(new CancelledError('person')))).host.notified).toMatchObject([
      { what: 'Cancelled' },
    ]);
  });

  test('a shutdown shows none on either path', async () => {
    expect((await run('resolve', failing(new CancelledError('shutdown')))).host.notified).toEqual([]);
    expect((await run('player', failing(new CancelledError('shutdown')))).host.notified).toEqual([]);
  });

  test('the script path plays nothing and resolves nothing after a failure', async () => {
    const { host } = await run('player', failing(FAILURES[0]![1]));
    expect(host.played).toEqual([]);
    expect(host.resolved).toEqual([]);
  });
});
