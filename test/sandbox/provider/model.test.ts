import { describe, expect, it } from 'vitest';
import { ARTICLE_BYTES } from '../../../sandbox/provider/articles.ts';
import { CostModel, type ModelOptions } from '../../../sandbox/provider/model.ts';

const MB = 1e6;
const MIB = 1024 * 1024;
const FILM = { name: 'film.mkv', size: 93 * MB };
/** Where two articles meet, in the middle. */
const BORDER = 64 * ARTICLE_BYTES;
const FAR = { connections: 10, roundTrip: 30 };

interface Ask {
  readonly model?: CostModel;
  readonly start?: number;
  readonly end?: number;
  /** The client leaves once it has everything up to here. */
  readonly leaves: number;
  /** The client takes no more than this. */
  readonly pauses?: number;
}

/** One GET by a client that takes what comes, at no delay. Times in milliseconds, and what it cost in the end. */
function get(options: ModelOptions, { start = 0, end, leaves, pauses = Infinity, ...ask }: Ask) {
  const model = ask.model ?? new CostModel(options);
  const reader = model.open(FILM, start, end);
  const began = model.now;
  let firstByte = Number.NaN;
  while (reader.available < leaves && !reader.isCut && model.now < began + 60_000) {
    model.advance(model.now + 1);
    if (Number.isNaN(firstByte) && reader.available > start) firstByte = model.now - began;
    reader.took(Math.min(reader.available, pauses));
  }
  const outcome = { firstByte, took: model.now - began, reached: reader.available, isCut: reader.isCut };
  model.close(reader);
  model.advance(model.now + 60_000);
  const bytes = model.fetches.reduce((sum, fetch) => sum + fetch.bytes, 0);
  return { ...outcome, articles: model.fetches.length, megabytes: bytes / MB, fetches: model.fetches };
}

/** Windows one after another over some bytes; the time until `of` of them are there. */
function windows(options: ModelOptions, size: number, of: number) {
  const model = new CostModel(options);
  for (let start = 0; start < of; start += size)
    get(options, { model, start, end: start + size, leaves: start + size });
  const idle = [...model.gets].reduce((sum, { opened, closed }) => sum + (closed! - opened), 0);
  return { articles: model.fetches.length, took: idle };
}

describe("nzbdav's GET: a read-ahead of its own that the range's end does not bound", () => {
  const lines = [
    { megabits: Infinity, connections: 10, roundTrip: 0 },
    { megabits: 50, ...FAR },
    { megabits: 20, ...FAR },
  ];
  it.each(lines)('64 KiB anywhere cost 11 to 14 articles, 8 to 10 MB: $megabits Mbit/s', (line) => {
    for (const start of [BORDER, BORDER - 32 * 1024])
      for (const end of [start + 64 * 1024, undefined]) {
        const { articles, megabytes } = get(
          { form: 'nzbdav', ...line },
          { start, ...(end && { end }), leaves: start + 64 * 1024 },
        );
        expect(articles).toBeGreaterThanOrEqual(11);
        expect(articles).toBeLessThanOrEqual(14);
        expect(megabytes).toBeGreaterThan(8);
        expect(megabytes).toBeLessThanOrEqual(10.5);
      }
  });

  it('an open-ended one whose reader pauses at once costs 66 articles, 49 MB', () => {
    // So much the sockets take of a reader that reads nothing.
    const { articles, megabytes } = get(
      { form: 'nzbdav', megabits: 50, ...FAR },
      { leaves: FILM.size, pauses: 6 * MB },
    );
    expect(articles).toBe(66);
    expect(megabytes).toBeCloseTo(49, 0);
  });

  it.each([
    { megabits: 50, atLeast: 1100 },
    { megabits: 20, atLeast: 2900 },
  ])('all connections share the line: at $megabits Mbit/s the first byte comes after $atLeast ms', (line) => {
    const options: ModelOptions = { form: 'nzbdav', megabits: line.megabits, ...FAR };
    const { firstByte } = get(options, { leaves: MB });
    expect(firstByte).toBeGreaterThanOrEqual(line.atLeast);
    expect(firstByte).toBeLessThan(line.atLeast * 1.1);
  });

  it('what is in flight is fetched to its end when the client has left, and the next GET waits for it', () => {
    const options: ModelOptions = { form: 'nzbdav', megabits: 20, ...FAR };
    const model = new CostModel(options);
    const left = model.open(FILM, 50 * MB, undefined);
    model.advance(100);
    model.close(left);
    const { firstByte, fetches } = get(options, { model, leaves: MB });
    expect(fetches.filter(({ get: of, state }) => of === 0 && state === 'whole')).toHaveLength(10);
    expect(firstByte).toBeGreaterThan(2800 + 2900 - 100);
  });

  it('two GETs take turns at the connections, also when one had all of them before', () => {
    const model = new CostModel({ form: 'nzbdav', megabits: 50, ...FAR });
    const readers = [model.open(FILM, 0, undefined)];
    model.advance(1000);
    const before = model.fetches.length;
    readers.push(model.open(FILM, 50 * MB, undefined));
    for (let time = 1000; time < 10_000; time += 5) {
      model.advance(time);
      for (const reader of readers) reader.took(reader.available);
    }
    const since = model.fetches.slice(before);
    const [one, two] = [0, 1].map((number) => since.filter((fetch) => fetch.get === number).length);
    expect(since.length).toBeGreaterThan(70);
    expect(Math.abs(one! - two!)).toBeLessThanOrEqual(2);
  });

  it('one GET has the whole line, and never more than 50 MB/s', () => {
    const film = { ...FILM, size: 500 * MB };
    for (const [megabits, most] of [
      [20, 2.5],
      [50, 6.25],
      [Infinity, 50],
    ] as const) {
      const model = new CostModel({ form: 'nzbdav', megabits, ...FAR });
      const reader = model.open(film, 0, undefined);
      for (let time = 0; time < 8000; time += 5) {
        model.advance(time);
        reader.took(reader.available);
      }
      const rate = model.fetches.reduce((sum, { bytes }) => sum + bytes, 0) / 8000 / 1000;
      expect(rate).toBeLessThanOrEqual(most);
      expect(rate).toBeGreaterThan(most * 0.95);
    }
  });
});

describe("AltMount's GET", () => {
  const at = (megabits: number): ModelOptions => ({ form: 'altmount', megabits, ...FAR });
  const within = (value: number, seen: number, part = 0.15) => {
    expect(value).toBeGreaterThan(seen * (1 - part));
    expect(value).toBeLessThan(seen * (1 + part));
  };

  it.each([
    {
      what: '64 KiB where two articles meet',
      start: BORDER - 32_768,
      end: BORDER + 32_768,
      articles: 2,
      ms: [284, 626],
    },
    { what: 'bytes 65536-2097151', start: 65_536, end: 2_097_152, articles: 3, ms: [395, 925] },
  ])('with an end fetches exactly the articles of its range: $what', ({ start, end, articles, ms }) => {
    for (const [place, megabits] of [50, 20].entries()) {
      const cost = get(at(megabits), { start, end, leaves: end });
      expect(cost.articles).toBe(articles);
      within(cost.took, ms[place]!);
    }
  });

  it('fetches an article on a border of two windows twice; larger windows are faster', () => {
    expect(windows(at(50), 8 * MIB, 16 * MIB).articles).toBe(25);
    expect(windows(at(50), MIB, 16 * MIB).articles).toBe(39);
    const eight = [50, 20].map((megabits) => windows(at(megabits), 8 * MIB, 8 * MIB).took);
    within(eight[0]!, 1600);
    within(eight[1]!, 3900);
    const one = [50, 20].map((megabits) => windows(at(megabits), MIB, 8 * MIB).took);
    within(one[0]!, 2700);
    within(one[1]!, 6300);
  });

  it('without an end starts 60 at once over all connections', () => {
    for (const [megabits, ms] of [
      [50, 1200],
      [20, 2900],
    ] as const) {
      const { articles, megabytes, firstByte } = get(at(megabits), { leaves: MB });
      expect(articles).toBeGreaterThanOrEqual(60);
      expect(articles).toBeLessThanOrEqual(62);
      // What is on its way is not fetched to its end, other than at nzbdav.
      expect(megabytes).toBeLessThan(15.5);
      within(firstByte, ms);
    }
  });

  it('without an end has 8 MB late at 50 Mbit/s, and never at 20: the body is cut', () => {
    const { took, isCut } = get(at(50), { leaves: 8 * MB });
    expect(isCut).toBe(false);
    expect(took).toBeGreaterThan(6800);
    expect(took).toBeLessThan(8400);
    const slow = get(at(20), { leaves: 8 * MB });
    expect(slow).toMatchObject({ isCut: true, reached: 3 * ARTICLE_BYTES });
  });
});
