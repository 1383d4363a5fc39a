import { describe, expect, test } from 'vitest';
import { A, B, LONG, MARK, setUp, take } from './monitored.ts';

// Where a film was seen last is where it is left, whatever becomes of it.
describe('the place in a film', () => {
  const OUT_OF_ORDER = { trouble: { kind: 'failing', since: 1 } } as const;

  async function playing(options: Parameters<typeof setUp>[0] = {}) {
    const stage = setUp(options);
    stage.announce(A);
    await take(stage.monitor, ['started', A], ['av-started', A]);
    for (const time of [541, 542, 543, 544]) await stage.at(time);
    return stage;
  }
  type Stage = Awaited<ReturnType<typeof playing>>;

  /** It breaks off, and is played again: while the player opens it, it stands at 0. */
  async function restarts(stage: Stage) {
    await stage.readsToEnd();
    await take(stage.monitor, ['started', A]);
    for (let look = 0; look < 3; look++) await stage.at(0, A, 0);
  }

  const isLeftAt544 = ({ stopped }: Stage) => {
    expect(stopped).toEqual([{ time: 544, duration: LONG, isFinished: false }]);
  };

  test('is kept by a stop while it is played again', async () => {
    const stage = await playing();
    await restarts(stage);
    await take(stage.monitor, ['stopped', '']);
    isLeftAt544(stage);
  });

  test('is kept by a restart that does not begin', async () => {
    const stage = await playing();
    await stage.readsToEnd();
    stage.world.state = undefined;
    await expect
      .poll(async () => {
        await stage.monitor.poll();
        return stage.ended;
      })
      .toEqual([A]);
    isLeftAt544(stage);
  });

  test('is that of the film that is given up after a restart in vain', async () => {
    const stage = await playing();
    const lost = { code: 'PREPARE_FAILED', what: 'It answered with an error.', next: '' } as const;
    stage.world.source = { lost };
    await restarts(stage);
    stage.world.source = { lost: { ...lost } };
    await stage.readsToEnd();
    expect(stage.lost).toMatchObject([{ url: A, time: 544 }]);
    isLeftAt544(stage);
  });

  test('is not where a seek led that brought no picture', async () => {
    const stage = await playing();
    stage.world.source = OUT_OF_ORDER;
    stage.monitor.handle({ kind: 'seek', file: A, time: 900 });
    for (let look = 0; look < 3; look++) await stage.at(900);
    await stage.readsToEnd();
    expect(stage.played).toEqual([[A, 539]]);
    await take(stage.monitor, ['stopped', '']);
    isLeftAt544(stage);
  });

  test('nor is a film over that was sent to its end when nothing came any more', async () => {
    const stage = await playing();
    stage.world.source = OUT_OF_ORDER;
    stage.monitor.handle({ kind: 'seek', file: A, time: LONG - 10 });
    await stage.at(LONG - 10);
    await stage.readsToEnd();
    expect(stage.stopped).toEqual([]);
    expect(stage.played).toEqual([[A, 539]]);
  });

  test('is where a seek led from which it plays on, or at which it is paused', async () => {
    const stage = await playing();
    stage.monitor.handle({ kind: 'seek', file: A, time: 900 });
    await stage.at(900);
    await take(stage.monitor, ['stopped', '']);
    expect(stage.stopped).toMatchObject([{ time: 900 }]);
  });

  test('is kept by a stop while it buffers', async () => {
    const stage = await playing();
    stage.world.source = OUT_OF_ORDER;
    for (let look = 0; look < 3; look++) await stage.at(544);
    await take(stage.monitor, ['stopped', '']);
    isLeftAt544(stage);
  });

  test('goes on while it plays from memory and its server is away', async () => {
    const stage = await playing();
    stage.world.source = OUT_OF_ORDER;
    await stage.at(545);
    await stage.at(546);
    await take(stage.monitor, ['stopped', '']);
    expect(stage.stopped).toMatchObject([{ time: 546 }]);
  });

  test('is kept by the film that another release has taken the place of, until that has a picture', async () => {
    const stage = await playing();
    const lost = { code: 'PREPARE_FAILED', what: 'It is gone.', next: '' } as const;
    stage.world.source = { lost };
    await restarts(stage);
    stage.world.source = { lost: { ...lost } };
    await stage.readsToEnd();
    stage.world.source = {};
    stage.announce(B);
    await take(stage.monitor, ['started', B]);
    await stage.at(0, B, 0);
    await take(stage.monitor, ['stopped', '']);
    // What is left at its start is left nowhere.
    expect(stage.stopped.slice(1)).toEqual([{ time: 0, duration: 0, isFinished: false }]);
    isLeftAt544({ ...stage, stopped: stage.stopped.slice(0, 1) });
  });

  test('is known to the engine that takes the place of one that was lost, also when the film has ended since', async () => {
    for (const isRestarted of [false, true]) {
      const stage = await playing();
      if (isRestarted) await restarts(stage);
      const next = setUp({ resumed: A });
      for (const [name, value] of stage.values) next.values.set(name, value);
      if (isRestarted) await next.at(0, A, 0);
      await take(next.monitor, ['stopped', '']);
      isLeftAt544(next);
      expect(next.marks).toEqual([MARK]);
      expect(next.values.get('slipstream.place')).toBeUndefined();
    }
  });

  test("is not another film's", async () => {
    const stage = await playing();
    const next = setUp({ resumed: B });
    for (const [name, value] of stage.values) next.values.set(name, value);
    await take(next.monitor, ['stopped', '']);
    expect(next.stopped).toMatchObject([{ time: 0 }]);
  });
});
