import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparableName, safeName } from '../../src/library/comparable-names.ts';
import { existingJobFinder } from '../../src/library/index.ts';
import { uniqueJobName } from '../../src/resolver/job-name.ts';
import { GB, job } from './library.ts';

const NAME = 'Sintel.2010.1080p.WEB-DL.H.264-INV';
const LONG = `${'Sintel.2010.'.repeat(20)}1080p-INV`;

/** The name of the job that is found for a release. */
const found = (jobs: readonly Parameters<typeof job>[], name: string, size?: number) =>
  existingJobFinder(jobs.map((each) => job(...each)))({ name, ...(size !== undefined && { size }) })?.name;

describe('a release is there already', () => {
  test.each([
    ['its own name', NAME, NAME],
    ['its own name, made unique by us', NAME, uniqueJobName(NAME)],
    ['its NZB’s name', NAME, `${NAME}.nzb`],
    ['another spelling of ".nzb"', `${NAME}.NZB`, NAME],
    ['blanks for dots', 'Sintel 2010 1080p WEB-DL H 264-INV', NAME],
    ['underscores for dots', NAME, 'Sintel_2010_1080p_WEB-DL_H_264-INV'],
    ['other capitals', NAME, NAME.toLowerCase()],
    ['decomposed accents', 'Élephant.Rêve.2006.1080p-INV', 'Élephant.Rêve.2006.1080p-INV'.normalize('NFD')],
    ['without its apostrophe', "Agent's.327.1080p-INV", 'Agents.327.1080p-INV'],
    ['made safe for a file system', 'Sintel: 2010 / 1080p?-INV', uniqueJobName('Sintel: 2010 / 1080p?-INV')],
    ['a device of Windows', 'Nul.2020.1080p-INV', uniqueJobName('Nul.2020.1080p-INV')],
    [
      'a name full of what archives take for a password',
      'Sintel {{x}} password=y',
      uniqueJobName('Sintel {{x}} password=y'),
    ],
    ['renumbered after us', NAME, `${NAME}-0123abcd.nzb`],
    ['a group of eight digits', 'Sintel.2010.1080p-0123abcd', 'Sintel.2010.1080p-0123abcd'],
  ])('under %s, when no size is known', (_, name, jobName) => {
    expect(found([[jobName]], name)).toBe(jobName);
  });

  test.each([
    ['numbered by the backend', NAME, `${NAME} (2)`],
    ['made unique by us and numbered by the backend', NAME, `${NAME}-0123abcd (2)`],
    ['with a unique end that may be a date', 'Sintel.Daily', 'Sintel.Daily-20230501'],
    ['cut', LONG, uniqueJobName(LONG)],
  ])('under a name that is %s, when sizes agree', (_, name, jobName) => {
    expect(found([[jobName, { size: 4 * GB }]], name, 4.2 * GB)).toBe(jobName);
  });

  test.each([
    ['the encoded articles against the same', 4.12, 4.12],
    ['the encoded articles and recovery blocks against the unpacked film', 4 * 1.03 * 1.15, 4],
    ['the unpacked film against an indexer that counts all', 4, 4 * 1.03 * 1.15],
    ['nothing', undefined, 4],
    ['zero', 0, 4],
  ])('when the backend counts %s', (_, counted, advertised) => {
    const size = counted === undefined ? {} : { size: counted * GB };
    expect(found([[NAME, size]], NAME, advertised * GB)).toBe(NAME);
  });

  test('and the newest of its jobs is found that fits', () => {
    const jobs = [
      job(NAME, { id: 'other', size: 9 * GB }),
      job(uniqueJobName(NAME), { id: 'newest', size: 4 * GB }),
      job(NAME, { id: 'older', size: 4 * GB }),
    ];
    expect(existingJobFinder(jobs)({ name: NAME, size: 4 * GB })?.id).toBe('newest');
    expect(existingJobFinder(jobs)({ name: NAME })?.id).toBe('other');
  });
});

describe('another release is not', () => {
  test.each([
    ['another resolution', 'Sintel.2010.2160p.WEB-DL.H.264-INV'],
    ['another group', 'Sintel.2010.1080p.WEB-DL.H.264-VNI'],
    ['no group', 'Sintel.2010.1080p.WEB-DL.H.264'],
    ['a mended one', 'Sintel.2010.REPACK.1080p.WEB-DL.H.264-INV'],
    ['another year', 'Sintel.2011.1080p.WEB-DL.H.264-INV'],
    ['a name that goes on', `${NAME}.Extras`],
    ['a name that begins earlier', `The.${NAME}`],
    ['words that are written together', NAME.replace('WEB-DL', 'WEBDL')],
    ['nothing', ''],
    ['signs only', '-- .. --'],
  ])('%s', (_, other) => {
    expect(found([[other, { size: 4 * GB }]], NAME, 4 * GB)).toBeUndefined();
    expect(found([[uniqueJobName(other), { size: 4 * GB }]], NAME, 4 * GB)).toBeUndefined();
    expect(found([[NAME, { size: 4 * GB }]], other, 4 * GB)).toBeUndefined();
  });

  test.each([
    ['the next episode', 'Caminandes.S01E01.1080p-INV', 'Caminandes.S01E02.1080p-INV'],
    ['the next season', 'Caminandes.S01.1080p-INV', 'Caminandes.S02.1080p-INV'],
    ['a format that a "+" tells', 'Spring.2019.HDR10+.DD5.1-INV', 'Spring.2019.HDR10.DD5.1-INV'],
    ['words that differ in their accents', 'Charge की 1080p', 'Charge का 1080p'],
    ['a day of a daily show', 'Sintel.Daily', 'Sintel.Daily-20230501'],
    ['a part, numbered by hand', 'Caminandes', 'Caminandes (2)'],
    ['a name that may go on where it is cut', LONG, uniqueJobName(`${LONG}.Extras`)],
    ['a name without letters', '---', '...'],
  ])('%s, when no size is known', (_, name, jobName) => {
    expect(found([[jobName]], name)).toBeUndefined();
  });

  test.each([1.25, 0.75, 2, 0.1])('one of the same name and %f times the size', (times) => {
    for (const jobName of [NAME, uniqueJobName(NAME), `${NAME} (2)`])
      expect(found([[jobName, { size: times * 4 * GB }]], NAME, 4 * GB)).toBeUndefined();
  });
});

interface Spelling {
  readonly separator: string;
  readonly capitals: string;
  readonly end: string;
}

describe('whatever the names are', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom('Sintel', '.nzb', ' ', '.', '{{', '}}', 'password=', 'con', '-', '/', 'é', '(2)'),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join('')),
  );

  test('a job of ours is found for its release, and made of the same safe name', () => {
    fc.assert(
      fc.property(names, (name) => {
        const ours = uniqueJobName(name);
        expect(ours.replace(/-[\da-f]{8}$/, '')).toBe(safeName(name) || 'release');
        if (comparableName(name).text === '') return;
        expect(found([[ours, { size: GB }]], name, GB)).toBe(ours);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a job is found exactly for the release of its words', () => {
    const words = fc.tuple(
      fc.constantFrom('Sintel', 'Spring', 'Charge'),
      fc.constantFrom('2010', '2012'),
      fc.constantFrom('1080p', '2160p'),
      fc.constantFrom('WEB', 'BluRay', 'BluRay REMUX'),
      fc.constantFrom('INV', 'VNI', 'deadbeef', '20230501'),
    );
    const spelling = fc.record({
      separator: fc.constantFrom('.', ' ', '_', ' - '),
      capitals: fc.constantFrom('as is', 'lower', 'upper'),
      end: fc.constantFrom('', '.nzb', '-0123abcd', '-0123abcd.nzb', ' (2)'),
    });
    const spell = (parts: readonly string[], { separator, capitals, end }: Spelling) => {
      const text = parts.join(separator);
      const cased =
        capitals === 'lower' ? text.toLowerCase() : capitals === 'upper' ? text.toUpperCase() : text;
      return cased + end;
    };
    const plain = { separator: '.', capitals: 'as is', end: '' } as const;
    fc.assert(
      fc.property(fc.array(fc.tuple(words, spelling), { maxLength: 12 }), words, (jobs, wanted) => {
        const jobNames = jobs.map(([parts, how]) => spell(parts, how));
        const expected = jobs.findIndex(([parts]) => parts.join(' ') === wanted.join(' '));
        const list = jobNames.map((name) => [name, { size: GB }] as Parameters<typeof job>);
        expect(found(list, spell(wanted, plain), GB)).toBe(jobNames[expected]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the work stays linear when they are all the same', () => {
    let looks = 0;
    const many = Array.from({ length: 1_000 }, () => ({
      ...job(NAME),
      get size() {
        looks++;
        return 9 * GB;
      },
    }));
    const find = existingJobFinder(many);
    for (let releases = 0; releases < 1_000; releases++) find({ name: NAME, size: GB });
    expect(looks).toBeGreaterThan(0);
    expect(looks).toBeLessThan(100 * many.length);
  });
});
