import { beforeAll, describe, expect, it } from 'vitest';
import { assembleFiles } from '../../../src/backends/nzb/assemble-files.ts';
import { contentReader } from '../../../src/backends/nzb/content.ts';
import { readNzbDocument } from '../../../src/backends/nzb/document.ts';
import { neededFiles } from '../../../src/backends/nzb/needed-files.ts';
import { withoutSamples } from '../../../src/backends/nzb/samples.ts';
import { shortfallOf } from '../../../src/backends/nzb/shortfall.ts';
import { streamableNzb } from '../../../src/backends/nzb/streamable.ts';
import { type YieldToLoop, yieldEvery } from '../../../src/io/wait.ts';
import { whileWorking } from '../../support/event-loop-turns.ts';
import { largeNzb, nzbBytes, postedFile } from '../../support/nzb.ts';
import { FILM, releaseCalled } from './lab.ts';

describe('a large NZB', () => {
  let large: Uint8Array;
  beforeAll(() => {
    large = largeNzb();
  });

  /** Gives way after each bit of work, so that no machine is too fast for it. */
  const read = (bytes: Uint8Array, signal: AbortSignal) =>
    readNzbDocument(bytes, yieldEvery(0, signal), contentReader().handlers);

  it('of 113,886 articles is read as any other', async () => {
    expect(large.length).toBeGreaterThan(11_000_000);
    expect(await read(large, new AbortController().signal)).toMatchObject({ kind: 'nzb', segments: 113_886 });
  });

  it('lets everything else have its turn while it is read', async () => {
    let turns = 0;
    await whileWorking(
      () => read(large, new AbortController().signal),
      () => turns++,
    );
    // A piece is 16 KiB.
    expect(turns).toBeGreaterThan(600);
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

  it('of many small files gives way while their subjects are read, too', async () => {
    const files = Array.from({ length: 2_000 }, (_, at) => postedFile(`Sintel.${at}.bin`, 1));
    const reader = contentReader();
    await readNzbDocument(nzbBytes(files), () => Promise.resolve(), reader.handlers);
    let pieces = 0;
    await assembleFiles(reader.content.files, () => {
      pieces++;
      return Promise.resolve();
    });
    // Once for each subject, and once for its articles.
    expect(pieces).toBeGreaterThanOrEqual(4_000);
  });

  it.each([
    ['files that are no video', (at: number) => `Sintel.${at}.bin`],
    ['videos', (at: number) => `Sintel.S01E${at}.mkv`],
    ['volumes', (at: number) => `Sintel.part${at}.rar`],
  ])('of 20,000 %s gives way in each step of its check', async (_what, nameOf) => {
    const files = Array.from({ length: 20_000 }, (_, at) => postedFile(nameOf(at), 1));
    const reader = contentReader();
    await readNzbDocument(nzbBytes(files), () => Promise.resolve(), reader.handlers);
    const whole = await assembleFiles(reader.content.files, () => Promise.resolve());
    const wanted = { request: FILM, release: releaseCalled('Sintel.2010') };
    for (const step of [
      (giveWay: YieldToLoop) => neededFiles(whole, wanted, giveWay),
      (giveWay: YieldToLoop) => shortfallOf(whole, whole, giveWay),
      (giveWay: YieldToLoop) => withoutSamples(whole, wanted, giveWay),
    ]) {
      let times = 0;
      await step(() => {
        times++;
        return Promise.resolve();
      });
      expect(times).toBeGreaterThan(15);
    }
  });

  it('lets everything else have its turn while it is checked and written', async () => {
    // In the wrong order, so that it has to be sorted as well.
    const film = postedFile('Sintel.mkv', 60_000);
    const bytes = nzbBytes([{ ...film, segments: film.segments.toReversed() }]);
    const reader = contentReader();
    await readNzbDocument(bytes, yieldEvery(20, new AbortController().signal), reader.handlers);
    let turns = 0;
    const wanted = { request: FILM, release: releaseCalled('Sintel.2010') };
    const giveWay = yieldEvery(0, new AbortController().signal);
    await whileWorking(
      () => streamableNzb(reader.content, wanted, giveWay),
      () => turns++,
    );
    expect(turns).toBeGreaterThan(80);
  });
});

it('a post of more files of one name than a call takes arguments is read to its end', async () => {
  const files = Array.from({ length: 150_000 }, (_, at) => ({
    subject: '"Sintel.mkv" yEnc (1/1)',
    poster: '',
    date: '',
    groups: [],
    segments: [{ id: `${at}@example.invalid`, bytes: 1, number: 1 }],
  }));
  expect(await assembleFiles(files, () => Promise.resolve())).toHaveLength(150_000);
}, 60_000);

// What packs a hundred megabytes into a hundred kilobytes; each held the engine for 7 to 22 s, and took up to 3.6 GB.
describe('a crafted NZB', () => {
  const MB = 1024 * 1024;
  it.each([
    ['of "&"', '<nzb>', '&'],
    ['of one comment', '<nzb><!--', '-a'],
    ['of a DTD with entities', '<!DOCTYPE nzb [', '<!ENTITY a "b">'],
    ['of "]" in CDATA', '<nzb><![CDATA[', ']'],
    ['of attributes', '<nzb ', 'a="&" '],
  ])('%s is given up after 64 KiB', async (_what, start, piece) => {
    const bytes = new Uint8Array(
      Buffer.from(`<?xml version="1.0"?>${start}${piece.repeat((48 * MB) / piece.length)}`),
    );
    let pieces = 0;
    const giveWay = () => {
      pieces++;
      return Promise.resolve();
    };
    expect(await readNzbDocument(bytes, giveWay, contentReader().handlers)).toEqual({
      kind: 'broken',
      detail: 'more than 65536 characters between two tags',
    });
    expect(pieces).toBeLessThan(10);
  });
});
