import { type ErrorCode, type Explanation, SlipstreamError } from '../../errors/index.ts';
import { quotedSuffix, sanitizeExternalText } from '../../io/external-text.ts';

const TRY_ANOTHER = 'Try another release.';

const INCOMPLETE: Explanation = {
  what: 'The release is no longer complete on your usenet provider.',
  next: 'Try another release, best a newer one.',
};

/**
 * What failure messages mean for the person, in the name of the server; the first match counts (protocols.md §1.7).
 * Many name a file, and so hold the words of a title. `broken`: as SlipstreamError.broken; what nobody knows proves nothing,
 * for AltMount says the same of lost articles and of a provider that is away (protocols.md §2.10).
 */
const REASONS: readonly {
  readonly words: RegExp;
  readonly broken?: true;
  readonly explanation: Explanation | ((name: string) => Explanation);
  /** Absent: JOB_FAILED, after which another release may do. */
  readonly code?: ErrorCode;
}[] = [
  {
    words: /no (?:usenet|nntp) providers? (?:is |are )?configured/i,
    code: 'NOT_CONFIGURED',
    explanation: (name) => noProvider(name).explanation,
  },
  {
    words: /^duplicate/i,
    explanation: (name) => ({
      what: `${name} refused the release as a duplicate.`,
      next: `Set the handling of duplicates in ${name} to "increment", or remove the old job there.`,
    }),
  },
  {
    words: /missing segments across all providers/i,
    broken: true,
    explanation: INCOMPLETE,
  },
  {
    words: /missing.{0,40}(?:volume|part|rar)|rar.{0,40}missing/i,
    broken: true,
    explanation: {
      what: 'The release is incomplete: parts of its archive were never posted or are gone.',
      next: TRY_ANOTHER,
    },
  },
  {
    words: /(?:article|segment)s?\b.{0,80}(?:not found|missing)|missing.{0,40}(?:article|segment)|\b430\b/i,
    broken: true,
    explanation: INCOMPLETE,
  },
  {
    words: /password did not match|(?:wrong|incorrect) (?:an? |the )?password/i,
    broken: true,
    explanation: {
      what: 'The password that came with the release does not open it.',
      next: TRY_ANOTHER,
    },
  },
  {
    words: /password[- ]protected|(?:requires?|needs?) (?:an? |the )?password|encrypt(?:ed|ion)/i,
    broken: true,
    explanation: {
      what: 'The release is protected by a password that nobody has.',
      next: TRY_ANOTHER,
    },
  },
  {
    words: /unsupported|compress/i,
    broken: true,
    explanation: {
      what: 'The release is packed in a way that cannot be streamed.',
      next: TRY_ANOTHER,
    },
  },
  {
    words: /no (?:importable|video|media)|importable/i,
    broken: true,
    explanation: { what: 'The release holds no video.', next: TRY_ANOTHER },
  },
  {
    // AltMount has not found the last article, by which it reckons.
    words: /total size is zero/i,
    broken: true,
    explanation: INCOMPLETE,
  },
  {
    words: /malformed|invalid nzb|not a valid nzb|xml/i,
    broken: true,
    explanation: (name) => ({
      what: `${name} cannot read the NZB of the release.`,
      next: TRY_ANOTHER,
    }),
  },
];

/** What AltMount says of lost articles, of a provider that is away, and of one that refuses its login (protocols.md §2.10). */
const NOTHING_FOUND = /fast-fail segment check failed/i;

/** What the jobs of one play have failed of. */
export interface PlayFailures {
  /** Of nothing but articles that were not found, whatever the reason. */
  missingArticles: number;
}

export const newPlayFailures = (): PlayFailures => ({ missingArticles: 0 });

/** @param message What the backend wrote; may be empty. @param play Counts it. */
export function jobFailed(name: string, message: string, play = newPlayFailures()): SlipstreamError {
  const words = sanitizeExternalText(message);
  if (NOTHING_FOUND.test(words)) return missingArticlesError(name, words, ++play.missingArticles);
  const known = REASONS.find((reason) => reason.words.test(words));
  const explanation = known?.explanation ?? {
    what: `${name} could not get the release ready${quotedSuffix(words)}.`,
    next: TRY_ANOTHER,
  };
  const told = typeof explanation === 'function' ? explanation(name) : explanation;
  return new SlipstreamError(known?.code ?? 'JOB_FAILED', told, {
    detail: words === '' ? 'no reason given' : words,
    broken: known?.broken === true,
  });
}

/** Two posts in a row are seldom gone as a whole. @param count How many of this play. */
function missingArticlesError(name: string, detail: string, count: number): SlipstreamError {
  const isOften = count > 1;
  const trouble = isOften ? `, or ${name}'s usenet provider does not answer or refuses its login` : '';
  return new SlipstreamError(
    'JOB_FAILED',
    {
      what: `${name} found no article of the release${trouble}.`,
      next: isOften ? `Look in ${name} whether its provider is connected.` : TRY_ANOTHER,
    },
    { detail, isSummary: isOften },
  );
}

export const noProvider = (name: string): SlipstreamError =>
  new SlipstreamError('NOT_CONFIGURED', {
    what: `${name} has no usenet provider yet, so it can get no release.`,
    next: `Add your provider in ${name} (Settings, Usenet), then try again.`,
  });

export function jobLost(name: string): SlipstreamError {
  return new SlipstreamError('JOB_FAILED', {
    what: `${name} no longer knows the job: it was deleted or replaced there.`,
    next: 'Start it again.',
  });
}
