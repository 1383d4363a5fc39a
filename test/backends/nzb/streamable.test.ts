import { describe, expect, it } from 'vitest';
import { ARTICLE, postedFile, type WrittenFile, type WrittenSegment } from '../../support/nzb.ts';
import { EPISODE, streamable } from './lab.ts';

// All documents here are written for these tests; the odd forms are those that public posts were seen to have.

const FILM_FILE = 'Sintel.2010.1080p.BluRay.x264-DURIAN.mkv';
const SIDE = [
  postedFile('Sintel.par2', 1),
  postedFile('Sintel.vol00+01.par2', 7),
  postedFile('Sintel.nfo', 1),
];

const without = (file: WrittenFile, ...numbers: number[]): WrittenFile => ({
  ...file,
  segments: file.segments.filter(({ number = 0 }) => !numbers.includes(number)),
});

const changed = (file: WrittenFile, change: (segment: WrittenSegment) => WrittenSegment): WrittenFile => ({
  ...file,
  segments: file.segments.map(change),
});

const volumes = (count: number, articles = 20) =>
  Array.from({ length: count }, (_, at) =>
    postedFile(`sintel.part${String(at + 1).padStart(2, '0')}.rar`, articles),
  );

const idsOf = (files: readonly WrittenFile[]) => files.map(({ segments }) => segments.map(({ id }) => id));

/** It is handed over, with these ids in each file. */
async function passes(files: readonly WrittenFile[], ids = idsOf(files), options = {}) {
  const result = await streamable([files], options);
  if ('lacking' in result) expect.unreachable(JSON.stringify(result));
  else expect(idsOf(result.content.files.map((file) => ({ ...file, segments: file.segments })))).toEqual(ids);
  return result;
}

const lacks = async (files: readonly WrittenFile[], lacking: number, options = {}) => {
  expect(await streamable([files], options)).toMatchObject({ lacking });
};

describe('an NZB for a backend that streams', () => {
  const film = postedFile(FILM_FILE, 50);

  it('is incomplete when a number is missing between 1 and the highest', async () => {
    await lacks([without(film, 30), ...SIDE], 1);
    await lacks([without(film, 1, 2), ...SIDE], 2);
    await lacks([...volumes(5), without(volumes(6)[5] ?? film, 7), ...SIDE], 1);
  });

  it('is incomplete when a subject names more articles than there are, as the other subjects do not', async () => {
    await lacks([without(film, 50), ...SIDE], 1);
    await lacks([...volumes(3), without(volumes(4)[3] ?? film, 19, 20)], 2);
  });

  it('passes when its subjects name more articles than there are as a matter of form', async () => {
    const odd = volumes(4).map((file) => ({ ...file, subject: file.subject.replace('/20)', '/99)') }));
    await passes(odd);
    // Also where a file's last article happens to be a full one.
    await passes(odd.map((file) => changed(file, (each) => ({ ...each, bytes: ARTICLE }))));
  });

  it('believes the subject of a lone file only where its last article is as long as the others', async () => {
    await lacks([without(film, 50)], 1);
    await passes([{ ...film, subject: film.subject.replace('/50)', '/80)') }]);
  });

  it('is incomplete when it has fewer than its subject says and no numbers that tell which', async () => {
    const unnumbered = (file: WrittenFile) => changed(file, ({ number: _, ...rest }) => rest);
    await lacks([unnumbered(without(film, 20)), ...SIDE], 1);
    await lacks([...volumes(3), without(volumes(4)[3] ?? film, 7)].map(unnumbered), 1);
    const alike = (file: WrittenFile) => changed(file, (each) => ({ ...each, number: 1 }));
    await lacks([alike(without(film, 20)), ...SIDE], 1);
  });

  it.each(['Sintel.par2', 'sintel.nfo', 'sintel.sfv', 'Sintel-trailer.mkv', 'sintel.srt', 'sintel.subs.rar'])(
    'may lack what it likes of %s',
    async (name) => {
      await passes([film, without(postedFile(name, 20), 3)]);
    },
  );

  it('is checked for the wanted episode of a pack only, as far as names tell', async () => {
    const name = 'Caminandes.S01.1080p.WEB-DL.x264-PACKED';
    const episodes = [1, 2, 3].map((number) => postedFile(`Caminandes.S01E0${number}.1080p.WEB-DL.mkv`, 30));
    const [first = film, second = film, third = film] = episodes;
    const options = { request: EPISODE, name };
    await passes([without(first, 5), second, third], undefined, options);
    await lacks([first, without(second, 5), third], 1, options);
    const nameless = [1, 2, 3].map((number) => postedFile(`${number}b6f1c2d49e0a4c7f8a35`, 30));
    await passes([without(nameless[0] ?? film, 5), ...nameless.slice(1)], undefined, options);
  });

  it('is checked in the archives of the wanted episode', async () => {
    const set = (number: number) =>
      [1, 2, 3].map((part) => postedFile(`Caminandes.S01E0${number}.WEB.part${part}.rar`, 10));
    const [one, two] = [set(1), set(2)];
    const options = { request: EPISODE, name: 'Caminandes.S01.1080p.WEB-DL.x264-PACKED' };
    const cut = (files: WrittenFile[]) => files.map((file, at) => (at === 1 ? without(file, 4) : file));
    await passes([...cut(one), ...two], undefined, options);
    await lacks([...one, ...cut(two)], 1, options);
  });

  it('is checked by size where names say nothing', async () => {
    const nameless = Array.from({ length: 6 }, (_, at) => ({
      ...postedFile(`x${at}`, 40),
      subject: `q8Zr2mVt0${at} (1/40)`,
    }));
    const parity = { ...postedFile('p', 12), subject: 'q8Zr2mVt09 (1/12)' };
    await lacks([...nameless.slice(1), without(nameless[0] ?? film, 9), parity], 1);
    // It may be the last volume as well as parity.
    await lacks([...nameless, without(parity, 9)], 1);
    const named = postedFile('sintel.vol00+01.par2', 12);
    await passes([...nameless, without(named, 9)]);
  });

  it('tells that a volume is missing between others', async () => {
    const set = volumes(6);
    expect(await streamable([[...set.slice(0, 2), ...set.slice(3), ...SIDE]])).toEqual({
      what: 'volumes',
      lacking: 1,
      of: 6,
    });
    // It may be the one whose name says nothing.
    await passes([...set.slice(0, 2), ...set.slice(3), { ...postedFile('y', 20), subject: 'zz (1/20)' }]);
  });

  it('says how large its usual article is', async () => {
    const result = await passes([postedFile('x.nfo', 1), film]);
    expect(result).toMatchObject({ articleBytes: ARTICLE, fileCount: 2, segmentCount: 51 });
  });
});

describe('the segments of a file', () => {
  const film = postedFile(FILM_FILE, 30);
  const ids = idsOf([film]);

  it('are handed over in order', async () => {
    await passes([{ ...film, segments: film.segments.toReversed() }], ids);
  });

  it("count in the document's order where none has a number, or all have the same", async () => {
    await passes([changed(film, ({ number: _, ...rest }) => rest)], ids);
    await passes([changed(film, (each) => ({ ...each, number: 1 }))], ids);
  });

  it('may be counted from 0', async () => {
    await passes(
      [changed(film, (each) => ({ ...each, number: (each.number ?? 0) - 1 })), ...SIDE],
      [...ids, ...idsOf(SIDE)],
    );
  });

  it.each([2, 3, 4])(
    "count in the document's order where all have the same number, however few they are: %i",
    async (articles) => {
      const last = postedFile('sintel.part06.rar', articles);
      await passes(
        [...volumes(5), last].map((file) => changed(file, (each) => ({ ...each, number: 1 }))),
        [...idsOf(volumes(5)), ...idsOf([last])],
      );
    },
  );

  it('are copies where one article has one number', async () => {
    const small = postedFile('sintel.part6.rar', 1);
    const again = { id: 'again@nzb.invalid', bytes: ARTICLE, number: 1 };
    await passes([{ ...small, segments: [...small.segments, again] }, ...SIDE], idsOf([small, ...SIDE]));
  });

  it('may lack none at number 0', async () => {
    const fromZero = (file: WrittenFile) =>
      changed(file, (each) => ({ ...each, number: (each.number ?? 0) - 1 }));
    const refused = changed(fromZero(film), (each) => (each.number === 0 ? { ...each, id: 'a b' } : each));
    await lacks([refused, ...SIDE], 1);
    // That the first one is not there at all, only the post's other files tell.
    await lacks([without(fromZero(film), 0), ...SIDE.map(fromZero)], 1);
  });

  it('stand once each: of two copies of an article the better one is kept', async () => {
    const again = film.segments.map((each) => ({ ...each, id: `again.${each.id}` }));
    await passes([{ ...film, segments: [...film.segments, ...again, ...film.segments] }], ids);
    const stub = { id: 'stub@nzb.invalid', bytes: 700, number: 5 };
    await passes([{ ...film, segments: [stub, ...film.segments] }], ids);
  });

  it.each(['', 'a b@x', 'a<b@x', '<a@x>', 'a\u0001b@x', 'a\tb@x'])(
    'are absent when their id is "%s"',
    async (id) => {
      await lacks([changed(film, (each) => (each.number === 7 ? { ...each, id } : each))], 1);
    },
  );

  it('keep their ids, of which blanks around are no part', async () => {
    await passes([changed(film, (each) => ({ ...each, id: `\n ${each.id} \n` }))], ids);
    const odd = changed(film, (each) => ({ ...each, id: `$&"'#;${each.id}` }));
    await passes([odd]);
  });
});

describe('files of one name', () => {
  const film = postedFile(FILM_FILE, 40);
  const single = (file: WrittenFile, numberOf: (at: number) => number | undefined) =>
    file.segments.map((each, at) => ({
      ...file,
      subject: file.subject.replace('(1/', `(${at + 1}/`),
      segments: [{ ...each, number: numberOf(at) }],
    }));

  it.each([
    ['its number', (at: number) => at + 1],
    ['number 1 each', () => 1],
    ['no number', () => undefined],
  ])('are joined when each is one article, with %s', async (_form, numberOf) => {
    await passes(single(film, numberOf), idsOf([film]));
    await passes(single(film, numberOf).toReversed(), idsOf([film]));
    await lacks(single(film, numberOf).toSpliced(12, 1), 1);
  });

  it('are joined when one is one article and subjects are obfuscated', async () => {
    const hidden = { ...film, subject: 'q8Zr2mVt0xK4 (1/40)' };
    await passes(
      single(hidden, (at) => at + 1),
      idsOf([film]),
    );
    await lacks(single(hidden, (at) => at + 1).toSpliced(12, 1), 1);
  });

  it('are joined when one post was cut in two', async () => {
    const pieces = [film.segments.slice(0, 15), film.segments.slice(15)];
    await passes(
      pieces.map((segments) => ({ ...film, segments })),
      idsOf([film]),
    );
  });

  it('are different files where all subjects are the same', async () => {
    const post = Array.from({ length: 12 }, (_, at) => ({
      ...postedFile(`x${at}`, 40),
      subject: 'q8Zr2mVt0xK4 yEnc (1/40)',
    }));
    await passes(post);
    await lacks([...post.slice(1), without(post[0] ?? film, 9)], 1);
    const two = post.slice(0, 2);
    await passes(two);
  });

  it('are different files where their counters differ', async () => {
    const post = [1, 2].map((number) => postedFile('a.rar', 20, { counter: `[${number}/2] - ` }));
    await passes(post);
  });

  it('are one file when they are copies: the whole one is kept', async () => {
    const copy = changed(film, (each) => ({ ...each, id: `copy.${each.id}` }));
    await passes([film, copy], idsOf([film]));
    await passes([without(film, 3), copy], idsOf([copy]));
  });

  const copied = (file: WrittenFile, counter: string): WrittenFile => ({
    ...changed(file, (each) => ({ ...each, id: `copy.${each.id}` })),
    subject: `${counter}${file.subject}`,
    poster: 'again@nzb.invalid (Again)',
    date: '1735819200',
  });
  const counted = (file: WrittenFile, counter: string) => ({ ...file, subject: `${counter}${file.subject}` });

  it('are copies in another post, whatever its counter says', async () => {
    await passes([counted(film, '[01/40] - '), copied(film, '[1/41] - ')], idsOf([film]));
    await passes([film, copied(film, '[1/41] - ')], idsOf([film]));
    const lacking = without(film, 3);
    await passes([counted(lacking, '[01/40] - '), copied(film, '[1/41] - ')], idsOf([copied(film, '')]));
    const set = volumes(4);
    const post = (file: WrittenFile, at: number) => counted(file, `[${at + 1}/9] - `);
    const again = set.map((file, at) => copied(file, `[${at + 1}/4] - `));
    await passes([...set.map(post), ...again], idsOf(set));
  });

  it('are two files where another post has another number of articles', async () => {
    const longer = postedFile(FILM_FILE, film.segments.length + 1);
    const second = copied(longer, '[1/41] - ');
    await passes([counted(film, '[01/40] - '), second], idsOf([film, second]));
  });

  it('never complete each other across posts', async () => {
    await lacks([counted(without(film, 3), '[1/40] - '), copied(without(film, 9), '[1/41] - ')], 1);
  });

  it('complete each other when no copy is whole', async () => {
    const copy = changed(film, (each) => ({ ...each, id: `copy.${each.id}` }));
    const [ids = []] = idsOf([film]);
    const mended = ids.map((id, at) => (at === 2 ? `copy.${id}` : id));
    await passes([without(film, 3), without(copy, 9)], [mended]);
  });

  it('are never mixed when they are cut in different ways', async () => {
    const finer = postedFile(FILM_FILE, 80);
    const copy = changed(finer, (each) => ({
      ...each,
      id: `finer.${each.id}`,
      bytes: Math.round((each.bytes ?? 0) / 2),
    }));
    await passes([without(film, 3), copy], idsOf([copy]));
    await lacks([without(film, 3), without(copy, 9)], 1);
  });
});

describe('odd forms of large posts', () => {
  it('one element for each of 10,151 articles', async () => {
    const film = postedFile('Sintel.2010.2160p.mkv', 10_151);
    const elements = film.segments.map((each, at) => ({
      subject: `"Sintel.2010.2160p.mkv" yEnc (${at + 1}/10151)`,
      segments: [each],
    }));
    await passes(elements, idsOf([film]));
    await lacks(elements.toSpliced(5_000, 1), 1);
  });

  it('half a terabyte, the size of its articles not told as they are posted', async () => {
    const parts = Array.from({ length: 60 }, (_, at) =>
      postedFile(`sintel.7z.${String(at + 1).padStart(3, '0')}`, 1_000),
    );
    const decoded = parts.map((file) =>
      changed(file, (each) => ({ ...each, bytes: each.number === 1_000 ? 9 : 716_800 })),
    );
    expect(await passes(decoded)).toMatchObject({ articleBytes: 716_800 });
  });

  it('193 volumes whose endings are numbers', async () => {
    const parts = Array.from({ length: 193 }, (_, at) => postedFile(`b6f1c2d49e0a4c7f8a35.${at + 1}`, 20));
    await passes(parts);
    await lacks([...parts.slice(1), without(parts[0] ?? segmentless, 4)], 1);
  });

  it('the password of its archive, and what else its head tells', async () => {
    const metas = [
      { type: 'password', text: ' a&b<"c" ' },
      { type: 'title', text: 'Sintel' },
    ];
    const result = await streamable([[postedFile('sintel.part1.rar', 20)], metas]);
    expect(result).toMatchObject({ content: { metas } });
  });

  it('the password that stood in its name, where the document tells none of its own', async () => {
    const files = [postedFile('sintel.part1.rar', 20)];
    const titled = { type: 'title', text: 'Sintel' };
    const own = { type: 'Password', text: 'its own' };
    const from = { password: 'a&b<"c" ' };
    expect(await streamable([files, [titled]], from)).toMatchObject({
      content: { metas: [titled, { type: 'password', text: 'a&b<"c" ' }] },
    });
    expect(await streamable([files, [own]], from)).toMatchObject({ content: { metas: [own] } });
    expect(await streamable([files])).toMatchObject({ content: { metas: [] } });
  });

  it('a release that nobody looks for is not refused', async () => {
    const other = [
      postedFile('Caminandes.S01E03.mkv', 20),
      without(postedFile('Caminandes.S01E01.mkv', 20), 3),
    ];
    await passes(other, undefined, { request: EPISODE, name: 'Caminandes.S01' });
  });
});

const segmentless: WrittenFile = { subject: '', segments: [] };
