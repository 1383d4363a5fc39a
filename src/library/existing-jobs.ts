import type { FinishedJob } from '../backends/backend.ts';
import { UNIQUE_SUFFIX } from '../backends/job/unique-suffix.ts';
import type { Release } from '../model/index.ts';
import { comparableName } from './comparable-names.ts';

/** Finds the finished job that holds a release; undefined when none surely does. */
export type ExistingJobFinder = (release: Pick<Release, 'name' | 'size'>) => FinishedJob | undefined;

/**
 * Tells which releases a backend has finished already, whoever submitted them: by us under the release's name with a
 * unique end (resolver/job-name.ts), by Sonarr or by hand under the NZB's. A name is the release's when nothing but
 * spelling tells them apart; sizes that are both known must agree, and must be known where the name leaves a doubt.
 * Rather none than another release: one that is submitted again costs a minute.
 * @param jobs Newest first, as backends list them; the newest that fits is found.
 */
export function existingJobFinder(jobs: readonly FinishedJob[]): ExistingJobFinder {
  const byName = new Map<string, NameReading[]>();
  for (const { name, ...reading } of jobs.flatMap(readingsOf)) {
    const namesakes = byName.get(name) ?? [];
    if (namesakes.length < MAX_NAMESAKES) namesakes.push(reading);
    byName.set(name, namesakes);
  }
  return ({ name, size }) => {
    const { text } = comparableName(name);
    const fits = ({ job, sure }: NameReading) => isSameSize(job.size, size) ?? sure;
    return text === '' ? undefined : byName.get(text)?.find(fits)?.job;
  };
}

interface NameReading {
  readonly job: FinishedJob;
  /** Whether the name alone decides. */
  readonly sure: boolean;
}

/** Jobs of one name that are looked at for a release: the time stays linear, whatever a backend lists. */
const MAX_NAMESAKES = 20;

const NZB_ENDING = /(?:\.nzb)+$/i;
/** Eight digits of a unique end that may as well be a broadcast's date. */
const DATE_SUFFIX = /-(?:19|20)\d{6}$/;
/** By which backends tell jobs of one name apart, and people the parts of a film. */
const NUMBER_SUFFIX = / \(\d{1,2}\)$/;

/** The releases' names that a job's name may stand for. */
function readingsOf(job: FinishedJob): (NameReading & { readonly name: string })[] {
  const whole = job.name.replace(NZB_ENDING, '');
  const unnumbered = whole.replace(NUMBER_SUFFIX, '').replace(NZB_ENDING, '');
  const readings = [{ name: whole, sure: true }];
  if (unnumbered !== whole) readings.push({ name: unnumbered, sure: false });
  if (UNIQUE_SUFFIX.test(unnumbered))
    readings.push({ name: unnumbered.replace(UNIQUE_SUFFIX, ''), sure: !DATE_SUFFIX.test(unnumbered) });
  return readings.map(({ name, sure }) => {
    const { text, isMaybeCut: cut } = comparableName(name);
    return { job, name: text, sure: sure && !cut };
  });
}

/**
 * How many times the other's size may be that of the same post: a backend counts the encoded articles, or what was
 * unpacked of them; an indexer the articles with or without the recovery blocks. yEnc adds 3 % at the most, and posts
 * carry up to 15 % of recovery blocks: 1.03 × 1.15 = 1.18. Reposts in another quality have another name.
 */
const MAX_OVERHEAD = 1.2;

/** Undefined when one of them is not known. */
function isSameSize(one = 0, other = 0): boolean | undefined {
  if (one <= 0 || other <= 0) return undefined;
  return Math.max(one, other) <= MAX_OVERHEAD * Math.min(one, other);
}
