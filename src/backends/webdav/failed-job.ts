import { type Explanation, SlipstreamError } from '../../errors/index.ts';
import { quoted, theirWords } from '../their-words.ts';

/**
 * What failure messages mean for the person, in the name of the server; the first match counts (protocols.md §1.7).
 * Many name a file, and so hold the words of a title.
 */
const REASONS: readonly {
  readonly words: RegExp;
  readonly explanation: Explanation | ((name: string) => Explanation);
}[] = [
  {
    words: /duplicate/i,
    explanation: (name) => ({
      what: `${name} refused the release as a duplicate.`,
      next: `Set the handling of duplicates in ${name} to "increment", or remove the old job there.`,
    }),
  },
  {
    words: /missing.{0,40}(?:volume|part|rar)|rar.{0,40}missing/i,
    explanation: {
      what: 'The release is incomplete: parts of its archive were never posted or are gone.',
      next: 'Try another release.',
    },
  },
  {
    words: /(?:article|segment)s?\b.{0,80}(?:not found|missing)|missing.{0,40}(?:article|segment)|\b430\b/i,
    explanation: {
      what: 'The release is no longer complete on your usenet provider.',
      next: 'Try another release, best a newer one.',
    },
  },
  {
    words:
      /password[- ]protected|(?:requires?|needs?|wrong|incorrect) (?:an? |the )?password|encrypt(?:ed|ion)/i,
    explanation: {
      what: 'The release is protected by a password that nobody has.',
      next: 'Try another release.',
    },
  },
  {
    words: /unsupported|compress/i,
    explanation: {
      what: 'The release is packed in a way that cannot be streamed.',
      next: 'Try another release.',
    },
  },
  {
    words: /no (?:importable|video|media)|importable/i,
    explanation: { what: 'The release holds no video.', next: 'Try another release.' },
  },
  {
    words: /malformed|invalid nzb|not a valid nzb|xml/i,
    explanation: (name) => ({
      what: `${name} cannot read the NZB of the release.`,
      next: 'Try another release.',
    }),
  },
];

/** @param message What the backend wrote; may be empty. */
export function jobFailed(name: string, message: string): SlipstreamError {
  const words = theirWords(message);
  const known = REASONS.find((reason) => reason.words.test(words));
  const explanation = known?.explanation ?? {
    what: `${name} could not get the release ready${quoted(words)}.`,
    next: 'Try another release.',
  };
  const told = typeof explanation === 'function' ? explanation(name) : explanation;
  return new SlipstreamError('JOB_FAILED', told, { detail: words === '' ? 'no reason given' : words });
}

export function jobLost(name: string): SlipstreamError {
  return new SlipstreamError('JOB_FAILED', {
    what: `${name} no longer knows the job: it was deleted or replaced there.`,
    next: 'Start it again.',
  });
}
