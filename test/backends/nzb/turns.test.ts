import { beforeAll, describe, expect, it } from 'vitest';
import { contentReader } from '../../../src/backends/nzb/content.ts';
import { readNzbDocument } from '../../../src/backends/nzb/document.ts';
import { streamableNzb } from '../../../src/backends/nzb/streamable.ts';
import { giveWayEvery } from '../../../src/io/wait.ts';
import { largeNzb, nzbBytes, postedFile } from '../../support/nzb.ts';
import { FILM, releaseCalled } from './lab.ts';

/** Calls `onTurn` in each turn of the event loop while `work` goes on. */
async function whileWorking(work: () => Promise<unknown>, onTurn: () => void): Promise<void> {
  let goesOn = true;
  const turn = () => {
    if (!goesOn) return;
    onTurn();
    setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    goesOn = false;
  }
}

describe('a large NZB', () => {
  let large: Uint8Array;
  beforeAll(() => {
    large = largeNzb();
  });

  /** Gives way after each bit of work, so that no machine is too fast for it. */
  const read = (bytes: Uint8Array, signal: AbortSignal) =>
    readNzbDocument(bytes, giveWayEvery(0, signal), contentReader().handlers);

  it('lets everything else have its turn while it is read', async () => {
    let turns = 0;
    await whileWorking(
      () => read(large, new AbortController().signal),
      () => turns++,
    );
    // A piece is 64 KiB.
    expect(turns).toBeGreaterThan(150);
  });

  it('ends within a turn when it is aborted', async () => {
    const controller = new AbortController();
    let turns = 0;
    const working = whileWorking(
      () => read(large, controller.signal),
      () => {
        if (++turns === 3) controller.abort(new Error('enough'));
      },
    );
    await expect(working).rejects.toThrow('enough');
    expect(turns).toBeLessThan(6);
  });

  it('lets everything else have its turn while it is checked and written', async () => {
    // In the wrong order, so that it has to be sorted as well.
    const film = postedFile('Sintel.mkv', 60_000);
    const bytes = nzbBytes([{ ...film, segments: film.segments.toReversed() }]);
    const reader = contentReader();
    await readNzbDocument(bytes, giveWayEvery(20, new AbortController().signal), reader.handlers);
    let turns = 0;
    const wanted = { request: FILM, release: releaseCalled('Sintel.2010') };
    const giveWay = giveWayEvery(0, new AbortController().signal);
    await whileWorking(
      () => streamableNzb(reader.content, wanted, giveWay),
      () => turns++,
    );
    expect(turns).toBeGreaterThan(80);
  });
});
