import { type CatalogueRelease, SINTEL } from '../../../sandbox/index.ts';
import { articlesOf, encodedBytes, postedFiles } from '../../../sandbox/posts.ts';
import { nzbText, type WrittenFile, type WrittenSegment } from '../../support/nzb.ts';
import type { Random } from '../../support/random.ts';
import type { Container, Form, Lack, Post } from './plan.ts';

const ENDINGS = {
  mkv: 'mkv',
  'mp4-front': 'mp4',
  'mp4-tail': 'mp4',
  ts: 'ts',
  avi: 'avi',
} as const satisfies Record<Container, string>;

/** A post as indexer and backend know it. `number` tells those of one play apart. */
export function releaseOf(
  { container, size, seconds, volume }: Post,
  name: string,
  number: number,
): CatalogueRelease {
  return {
    guid: `5a4db0c5-0000-4000-9000-${String(number).padStart(12, '0')}`,
    of: SINTEL,
    name,
    categories: [2000, 2040],
    size: Math.round(size * 1.06),
    videos: [{ path: `${name}.${ENDINGS[container]}`, container, seconds, size }],
    ...(volume !== undefined && { archive: { kind: 'rar', volume } }),
    posted: '2025-06-01T12:00:00.000Z',
    grabs: 7,
    usenetGroup: 'alt.binaries.sandbox',
    poster: 'poster@sandbox.invalid (Sandbox)',
  };
}

/** The NZB of a release in a form. @param lack Absent: it lists all that the film needs. */
export function nzbIn(form: Form, release: CatalogueRelease, random: Random, lack?: Lack): string {
  const posted = filesOf(release);
  const files = lack === undefined ? posted : lessening(posted, lack, random);
  return nzbText(FORMS[form](files, random), [{ type: 'name', text: release.name }]);
}

/** As most posts are written. */
function filesOf(release: CatalogueRelease): WrittenFile[] {
  const posted = postedFiles(release);
  return posted.map(({ name, size }, at) => {
    const articles = articlesOf(size);
    return {
      subject: `[${at + 1}/${posted.length}] - "${name}" yEnc (1/${articles.length})`,
      segments: articles.map((article, n) => ({
        id: `${at + 1}.${n + 1}.${release.guid}@sandbox.invalid`,
        bytes: encodedBytes(article),
        number: n + 1,
      })),
    };
  });
}

/** So few articles leave nothing in the middle. */
const FEWEST = 4;
const NEEDED = /\.(?:mkv|mp4|ts|avi|rar)"/;
const isNeeded = ({ subject }: WrittenFile) => NEEDED.test(subject);

/** One of the files that the film needs lists less than was posted. */
function lessening(files: readonly WrittenFile[], lack: Lack, random: Random): WrittenFile[] {
  const long = files.filter((file) => isNeeded(file) && file.segments.length >= FEWEST);
  const chosen = long[random.int(0, long.length - 1)];
  return files.map((file) =>
    file === chosen ? { ...file, segments: less(file.segments, lack, random) } : file,
  );
}

function less(segments: readonly WrittenSegment[], lack: Lack, random: Random): WrittenSegment[] {
  const last = segments.length - 1;
  const at = random.int(1, last - 1);
  switch (lack) {
    case 'one':
      return segments.toSpliced(at, 1);
    case 'a row':
      return segments.toSpliced(at, Math.min(last - at, random.int(2, 3)));
    case 'several':
      return segments.toSpliced(at, 1).toSpliced(random.int(1, last - 2), 1);
    case 'the first':
      return segments.slice(1);
    case 'the last':
      return segments.slice(0, last);
    case 'an id':
      return segments.with(at, {
        ...(segments[at] ?? { id: '' }),
        id: random.pick(['', 'not an id', '<x@y>']),
      });
  }
}

type Rewrite = (files: readonly WrittenFile[], random: Random) => WrittenFile[];

const FORMS: Readonly<Record<Form, Rewrite>> = {
  usual: (files) => [...files],
  'an element for each article': (files) => files.flatMap((file) => elementsOf(file, (each) => each)),
  'an element for each article, all number 1': (files) =>
    files.flatMap((file) => elementsOf(file, (each) => ({ ...each, number: 1 }))),
  'in two elements': (files, random) =>
    files.flatMap((file) => {
      const cut = random.int(0, file.segments.length);
      return [file.segments.slice(0, cut), file.segments.slice(cut)]
        .filter(({ length }) => length > 0)
        .map((segments) => ({ ...file, segments }));
    }),
  'out of order': inSegments((segments, random) => shuffled(segments, random)),
  'each article twice': inSegments((segments, random) => shuffled([...segments, ...segments], random)),
  'counted from 0': inEach((each) => ({ ...each, number: (each.number ?? 0) - 1 })),
  'sizes as decoded': inEach((each) => ({ ...each, bytes: Math.floor((each.bytes ?? 0) / 1.031) })),
  'subjects that say nothing': (files, random) =>
    files.map((file) => ({ ...file, subject: `${wordOf(random)} (1/${countIn(file)})` })),
  'blanks and signs in ids': inEach((each) => ({
    ...each,
    id: isId(each.id) ? `\n $&"'#.${each.id} \n` : each.id,
  })),
  'posted twice': (files) => [...files, ...files.map(copyOf)],
  // Another program counts with other digits, and the side files differ.
  reposted: (files) => [
    ...files,
    ...files.filter(isNeeded).map((file, at, { length }) => ({
      ...copyOf(file),
      subject: file.subject.replace(/^\[\d+\/\d+\]/, `[${String(at + 1).padStart(2, '0')}/${length}]`),
      poster: 'again@sandbox.invalid (Again)',
      date: '1735819200',
    })),
  ],
  'no numbers': inEach(({ number: _, ...rest }) => rest),
  'number 1 throughout': inEach((each) => ({ ...each, number: 1 })),
  'counts of another kind': (files) =>
    files.map((file) => ({ ...file, subject: file.subject.replace(/\/\d+\)$/, '/900)') })),
  'one subject for all': (files) =>
    files.map((file) => ({ ...file, subject: `q8Zr2mVt0xK4 (1/${countIn(file)})` })),
  'side files that lack articles': (files, random) => [
    ...files,
    ...[0, 1].map((n) => ({
      subject: `"Sintel.vol0${n}+1.par2" yEnc (1/9)`,
      segments: Array.from({ length: random.int(1, 5) }, (_, at) => ({
        id: `parity.${n}.${at}@nzb.invalid`,
        bytes: 739_067,
        number: 2 * at + 1,
      })),
    })),
  ],
};

function inSegments(
  change: (segments: readonly WrittenSegment[], random: Random) => WrittenSegment[],
): Rewrite {
  return (files, random) => files.map((file) => ({ ...file, segments: change(file.segments, random) }));
}

function inEach(change: (segment: WrittenSegment) => WrittenSegment): Rewrite {
  return inSegments((segments) => segments.map(change));
}

/** An element for each article; which one it is, its subject tells as well. */
const elementsOf = (file: WrittenFile, change: (segment: WrittenSegment) => WrittenSegment): WrittenFile[] =>
  file.segments.map((each) => ({
    ...file,
    subject: file.subject.replace('(1/', `(${each.number ?? 1}/`),
    segments: [change(each)],
  }));

const copyOf = (file: WrittenFile): WrittenFile => ({
  ...file,
  segments: file.segments.map((each) => ({ ...each, id: isId(each.id) ? `copy.${each.id}` : each.id })),
});

const isId = (id: string) => id.endsWith('@sandbox.invalid');
const countIn = ({ subject }: WrittenFile) => /\/(\d+)\)$/.exec(subject)?.[1] ?? '1';

const wordOf = (random: Random) => Array.from({ length: 20 }, () => random.int(0, 35).toString(36)).join('');

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
