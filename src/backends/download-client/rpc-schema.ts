import * as v from 'valibot';

/** A job in NZBGet's queue (protocols.md §4.3). */
export interface Group {
  readonly id: number;
  /** Without ".nzb": the job's name and that of its NZB; a script may have changed the first. */
  readonly names: readonly string[];
  readonly category: string;
  /** As NZBGet writes it: "DOWNLOADING". */
  readonly status: string;
  /** Bytes that are to be downloaded and still missing, without the repair files that wait until they are needed. */
  readonly wanted: number;
  readonly left: number;
  /** Of the present post-processing step, 0 to 1000. */
  readonly stageProgress: number;
  /** Permille; below the critical health nothing can repair it. */
  readonly health: number;
  readonly criticalHealth: number;
  /** "SCORE", "ALL" or "FORCE": whether the check for duplicates counts it. */
  readonly dupeMode: string;
}

/** A job in NZBGet's history (protocols.md §4.4). */
export interface PastJob {
  readonly id: number;
  readonly names: readonly string[];
  readonly category: string;
  /** "SUCCESS/ALL". */
  readonly status: string;
  /** Where its files are, as NZBGet's machine calls it. */
  readonly folder: string;
  /** Bytes of its articles. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly finished: number;
  /** Of the check for duplicates; a job of ours has one of ours. */
  readonly dupeKey: string;
  /** It was given one for its archive. */
  readonly hasPassword: boolean;
}

export interface ConfigOption {
  readonly name: string;
  readonly value: string;
}

const HIGH_WORD = 2 ** 32;
const text = v.fallback(v.string(), '');
const number = v.fallback(v.pipe(v.number(), v.finite()), 0);
/** An id above this would have outlived its server. */
const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 31));
/** Halves of a 64-bit number. Some builds print the low one as signed. */
const half = v.fallback(
  v.pipe(
    v.number(),
    v.integer(),
    v.transform((value) => (value < 0 ? value + HIGH_WORD : value)),
    v.minValue(0),
    v.maxValue(HIGH_WORD - 1),
  ),
  0,
);

/** NZBGet sends 64-bit sizes in two halves; files end long before 2^53. */
const whole = (high: number, low: number) => high * HIGH_WORD + low;

const withoutSuffix = (name: string) => name.replace(/\.nzb$/i, '');
const namesOf = (...names: readonly string[]) => [
  ...new Set(names.filter((name) => name !== '').map(withoutSuffix)),
];

const group = v.pipe(
  v.object({
    NZBID: id,
    NZBName: text,
    NZBFilename: text,
    Category: text,
    Status: text,
    FileSizeHi: half,
    FileSizeLo: half,
    RemainingSizeHi: half,
    RemainingSizeLo: half,
    PausedSizeHi: half,
    PausedSizeLo: half,
    PostStageProgress: number,
    Health: v.fallback(number, 1000),
    CriticalHealth: number,
    DupeMode: text,
  }),
  v.transform((slot): Group => {
    const paused = whole(slot.PausedSizeHi, slot.PausedSizeLo);
    return {
      id: slot.NZBID,
      names: namesOf(slot.NZBName, slot.NZBFilename),
      category: slot.Category,
      status: slot.Status,
      wanted: whole(slot.FileSizeHi, slot.FileSizeLo) - paused,
      left: whole(slot.RemainingSizeHi, slot.RemainingSizeLo) - paused,
      stageProgress: slot.PostStageProgress,
      health: slot.Health,
      criticalHealth: slot.CriticalHealth,
      dupeMode: slot.DupeMode,
    };
  }),
);

/** The parameter of a job that holds the password of its archive (protocols.md §4.2). */
export const PASSWORD = '*Unpack:Password';

const hasPassword = v.fallback(
  v.pipe(
    v.array(v.object({ Name: v.string(), Value: v.string() })),
    v.transform((all) =>
      all.some(({ Name, Value }) => Name.toLowerCase() === PASSWORD.toLowerCase() && Value !== ''),
    ),
  ),
  false,
);

const pastJob = v.pipe(
  v.object({
    NZBID: id,
    Kind: v.literal('NZB'),
    Name: text,
    NZBName: text,
    NZBFilename: text,
    Category: text,
    Status: text,
    DestDir: text,
    FinalDir: text,
    FileSizeHi: half,
    FileSizeLo: half,
    HistoryTime: number,
    DupeKey: text,
    Parameters: hasPassword,
  }),
  v.transform(
    (slot): PastJob => ({
      id: slot.NZBID,
      names: namesOf(slot.Name, slot.NZBName, slot.NZBFilename),
      category: slot.Category,
      status: slot.Status,
      // A script that moved the files says where to.
      folder: slot.FinalDir === '' ? slot.DestDir : slot.FinalDir,
      size: whole(slot.FileSizeHi, slot.FileSizeLo),
      finished: slot.HistoryTime * 1000,
      dupeKey: slot.DupeKey,
      hasPassword: slot.Parameters,
    }),
  ),
);

const option = v.pipe(
  v.object({ Name: v.string(), Value: v.string() }),
  v.transform(({ Name, Value }): ConfigOption => ({ name: Name, value: Value })),
);

/** Keeps the items that make sense: somebody else's odd job, and what is no NZB, must not hide ours. */
const listOf = <T>(item: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((items): T[] =>
      items.flatMap((each) => {
        const parsed = v.safeParse(item, each);
        return parsed.success ? [parsed.output] : [];
      }),
    ),
  );

export const groups = listOf(group);
export const history = listOf(pastJob);
export const options = listOf(option);
/** The id of the new job; 0 or less: refused. Before NZBGet 13 it was a boolean. */
export const appended = v.union([v.pipe(v.number(), v.integer()), v.literal(false)]);
export const edited = v.boolean();
export const version = v.pipe(v.string(), v.maxLength(100));
export const serverStatus = v.object({
  DownloadPaused: v.fallback(v.boolean(), false),
  FreeDiskSpaceMB: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0))), undefined),
});

/** Errors come with HTTP status 200 (protocols.md §4.1). */
export const envelope = v.object({
  result: v.optional(v.unknown()),
  error: v.optional(v.nullable(v.object({ code: number, message: text }))),
});
