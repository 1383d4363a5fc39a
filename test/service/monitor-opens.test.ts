import { describe, expect, test } from 'vitest';
import { A, B, FOREIGN, LONG, MARK, START, setUp, take } from './monitored.ts';

const PROPERTIES = ['svc.active', 'svc.stream_url', 'svc.playing'];
const raised = (values: Map<string, string>) => PROPERTIES.filter((name) => values.has(name));

describe('a film that the player cannot open', () => {
  const WHY = {
    code: 'UNREACHABLE',
    what: 'The file server (nas:8080) cannot be reached.',
    next: 'Check that it is running.',
  } as const;
  const opening = async () => {
    const s = setUp();
    s.announce(A);
    s.films.set(A, { origin: 'origin', mark: MARK, title: 'Sintel (2010)' });
    await take(s.monitor, ['started', A]);
    return s;
  };

  test.each(['stopped', 'ended', 'error'] as const)(
    'is told with what its source failed of, though the player tells no more than "%s"',
    async (kind) => {
      const s = await opening();
      s.world.source = { lost: WHY };
      await take(s.monitor, [kind, '']);
      expect(s.failures.map(({ code, explanation }) => ({ code, ...explanation }))).toEqual([
        { code: 'UNREACHABLE', what: `The film could not be opened. ${WHY.what}`, next: WHY.next },
      ]);
      expect(s.failed).toMatchObject([{ title: 'Sintel (2010)', mark: MARK, isStillPlaying: false }]);
      expect([s.ended, s.notOpened.count, raised(s.values)]).toEqual([[A], 1, []]);
    },
  );

  test('is the person’s stop where nothing is known to have failed, or once it had its picture', async () => {
    for (const hasPicture of [false, true]) {
      const s = await opening();
      if (hasPicture) {
        await take(s.monitor, ['av-started', A]);
        s.world.source = { lost: WHY };
      }
      await take(s.monitor, ['stopped', '']);
      expect([s.ended, s.failures, s.notOpened.count]).toEqual([[A], [], 0]);
    }
  });

  test('is told by nobody once another film plays', async () => {
    const s = await opening();
    s.world.source = { lost: WHY };
    await take(s.monitor, ['stopped', FOREIGN]);
    expect([s.ended, s.failures]).toEqual([[A], []]);
  });

  test('when it was to go on is as lost as one that broke off once more', async () => {
    const s = setUp();
    s.announce(A);
    await take(s.monitor, ['started', A], ['av-started', A]);
    for (const time of [999, 1000]) await s.at(time);
    s.world.source = { lost: WHY };
    await s.readsToEnd();
    expect(s.played).toHaveLength(1);
    // What it failed of before is not what it fails of now.
    await take(s.monitor, ['started', A]);
    s.world.source = { lost: { ...WHY } };
    await take(s.monitor, ['stopped', '']);
    expect(s.lost).toMatchObject([{ url: A, time: 1000 }]);
    expect(s.failures.map(({ explanation }) => explanation.what)).toEqual([
      'The film broke off at 16:40 and cannot be played on.',
    ]);
    expect(s.notOpened.count).toBe(1);
  });
});

describe('a film that is to take the place of another one', () => {
  const GREETING = { what: 'Another release of the film plays now.', next: '', level: 'info' } as const;
  const expecting = () => {
    const s = setUp();
    const calls: string[] = [];
    const notBegun = () => Promise.resolve(void calls.push('not begun'));
    const forget = s.monitor.expect({ url: B, startMessage: GREETING, onNotStarted: notBegun });
    s.announce(B);
    const looks = async () => {
      const until = performance.now() + 3 * START;
      while (performance.now() < until) await s.monitor.poll();
    };
    return { ...s, calls, forget, looks };
  };

  test('is told at its first picture, once', async () => {
    const s = expecting();
    await take(s.monitor, ['started', B]);
    expect(s.notified).toEqual([]);
    await take(s.monitor, ['av-started', B], ['av-started', B]);
    expect(s.notified).toEqual([GREETING]);
    await s.looks();
    expect(s.calls).toEqual([]);
  });

  test('is told otherwise when the player does not begin it', async () => {
    const s = expecting();
    await s.looks();
    expect([s.calls, s.notified]).toEqual([['not begun'], []]);
  });

  test('is not waited for when the player has refused it, or once the person plays another one', async () => {
    const refused = expecting();
    refused.forget();
    await refused.looks();
    expect(refused.calls).toEqual([]);
    const other = expecting();
    other.announce(A);
    await take(other.monitor, ['started', A], ['av-started', A]);
    await other.looks();
    expect([other.calls, other.notified]).toEqual([[], []]);
  });
});

describe('a film of which parts are missing further on', () => {
  /** From half of it on. */
  const BROKEN = { brokenFrom: 0.5 };

  test('is given up before it comes there, once, and plays on meanwhile', async () => {
    const { monitor, announce, world, at, lost, ended } = setUp();
    announce(A);
    await take(monitor, ['started', A], ['av-started', A]);
    world.source = BROKEN;
    await at(LONG / 2 - 200);
    expect(lost).toEqual([]);
    await at(LONG / 2 - 100);
    await at(LONG / 2 - 99);
    expect(lost).toMatchObject([{ url: A, time: LONG / 2 - 100, mark: MARK, isStillPlaying: true }]);
    expect(ended).toEqual([]);
  });

  test('is given up at once when it has not begun, for nobody knows how long it is', async () => {
    const { monitor, announce, world, at, lost } = setUp();
    announce(A);
    await take(monitor, ['started', A]);
    world.source = BROKEN;
    await at(0, A, 0);
    expect(lost).toMatchObject([{ url: A, time: 0, isStillPlaying: true }]);
  });
});
