import * as v from 'valibot';

/**
 * What the SABnzbd dialect's answers mean, as tolerant as its servers are different: numbers come as text, with a
 * decimal comma from some; fields are null or missing; `status` is a boolean or an object (protocols.md §11.2).
 */
export interface QueueSlot {
  readonly id: string;
  /** Without a password and ".nzb". */
  readonly name: string;
  readonly category: string;
  /** In lower case. */
  readonly status: string;
  /** 0 to 100 as the server says; wraps around on some. */
  readonly percent: number | undefined;
  /** nzbdav's own 0 to 200: above 100 the articles are being checked. */
  readonly truePercent: number | undefined;
}

export interface HistorySlot {
  readonly id: string;
  /** Without a password and ".nzb": the job's name and the NZB's; they may differ. */
  readonly names: readonly string[];
  readonly category: string;
  /** In lower case. */
  readonly status: string;
  readonly storage: string;
  readonly failMessage: string;
  /** Bytes of its articles. */
  readonly size: number | undefined;
  /** Milliseconds since the epoch. */
  readonly completed: number | undefined;
}

const scalar = v.union([v.string(), v.number()]);
const text = v.fallback(v.pipe(scalar, v.transform(String)), '');
const number = v.fallback(v.optional(v.pipe(scalar, v.transform(toNumber))), undefined);
const id = v.pipe(scalar, v.transform(String), v.minLength(1));

/** @returns undefined for what is no number */
export function toNumber(value: string | number): number | undefined {
  const plain = typeof value === 'number' ? value : value.trim().replace(',', '.');
  const result = plain === '' ? Number.NaN : Number(plain);
  return Number.isFinite(result) ? result : undefined;
}

/** The servers take an archive's password, as it stands at the end of a file's name, out of the job's (protocols.md §1.4). */
const withoutSuffix = (name: string) =>
  name.replace(/\.nzb$/i, '').replace(/\s*(?:\{\{.*\}\}| password=.*)$/, '');

const queueSlot = v.pipe(
  v.object({
    nzo_id: id,
    filename: text,
    cat: text,
    status: text,
    percentage: number,
    true_percentage: number,
  }),
  v.transform(
    (slot): QueueSlot => ({
      id: slot.nzo_id,
      name: withoutSuffix(slot.filename),
      category: slot.cat,
      status: slot.status.toLowerCase(),
      percent: slot.percentage,
      truePercent: slot.true_percentage,
    }),
  ),
);

const historySlot = v.pipe(
  v.object({
    nzo_id: id,
    name: text,
    nzb_name: text,
    category: text,
    status: text,
    storage: text,
    fail_message: text,
    bytes: number,
    completed: number,
  }),
  v.transform(
    (slot): HistorySlot => ({
      id: slot.nzo_id,
      names: [slot.name, slot.nzb_name].filter((name) => name !== '').map(withoutSuffix),
      category: slot.category,
      status: slot.status.toLowerCase(),
      storage: slot.storage,
      failMessage: slot.fail_message,
      size: slot.bytes,
      completed: slot.completed === undefined ? undefined : slot.completed * 1000,
    }),
  ),
);

/** Keeps the slots that make sense: somebody else's odd job must not hide ours. */
const slotsOf = <T>(slot: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.array(v.unknown()),
    v.transform((items): T[] =>
      items.flatMap((item) => {
        const parsed = v.safeParse(slot, item);
        return parsed.success ? [parsed.output] : [];
      }),
    ),
  );

/** What waits and what runs. */
export interface Queue {
  readonly slots: readonly QueueSlot[];
  /** A person has paused all of it. */
  readonly paused: boolean;
  /** It tells a speed, which nzbdav's does not (protocols.md §1.5). */
  readonly hasSpeed: boolean;
}

export const queueAnswer = v.object({
  queue: v.pipe(
    v.object({ slots: slotsOf(queueSlot), paused: v.fallback(v.boolean(), false), kbpersec: text }),
    v.transform(({ slots, paused, kbpersec }): Queue => ({ slots, paused, hasSpeed: kbpersec !== '' })),
  ),
});
/** false: SABnzbd has nothing new to tell. */
export const historyAnswer = v.object({
  history: v.union([v.literal(false), v.object({ slots: slotsOf(historySlot) })]),
});
export const addAnswer = v.object({ nzo_ids: v.pipe(v.array(id), v.minLength(1)) });
/** Deletions are believed by their status alone. */
export const anyAnswer = v.object({});

export interface Warning {
  readonly text: string;
  /** Milliseconds since it was given, by the server's own clock; undefined where it does not say when. */
  readonly age: number | undefined;
}

/** `time`: seconds since the epoch. */
export const warningsAnswer = v.object({
  warnings: slotsOf(v.object({ text: v.string(), time: number })),
});

/** Of the usenet providers that are set up, by their names. */
export const statsAnswer = v.object({ servers: v.record(v.string(), v.unknown()) });

/** A usenet provider of which the server counts how much it has delivered. */
export interface ProviderUsage {
  readonly name: string;
  /** What the person lets it deliver is used up. */
  readonly isOverLimit: boolean;
}

const provider = v.pipe(
  v.object({ host: text, nickname: text, overLimit: v.fallback(v.boolean(), false) }),
  v.transform(
    ({ host, nickname, overLimit }): ProviderUsage => ({
      name: nickname === '' ? host : nickname,
      isOverLimit: overLimit,
    }),
  ),
);

export const usageAnswer = v.object({ providers: slotsOf(provider) });

export const versionAnswer = v.object({ version: text });

/** One setting of the fork's, and nothing else of an answer that may hold its key; none where it was never changed. */
const settingAnswer = <T>(name: string, value: v.GenericSchema<unknown, T>) =>
  v.pipe(
    v.object({ configItems: slotsOf(v.object({ configName: v.literal(name), configValue: value })) }),
    v.transform(({ configItems: [first] }) => first?.configValue),
  );

export const QUEUE_LIMIT = 'queue.max-items';
export const queueLimitAnswer = settingAnswer(QUEUE_LIMIT, number);
export const WEBDAV_USER = 'webdav.user';
export const webdavUserAnswer = settingAnswer(
  WEBDAV_USER,
  v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
);

/** What a server tells of its set-up; as much of it as makes sense. */
export interface SabConfig {
  /** The folder of finished jobs, as a path of its own; empty where it does not say. */
  readonly completeDir: string;
  /** Category names in the server's spelling, with the folder of each. */
  readonly categories: readonly { readonly name: string; readonly dir: string }[];
}

const category = v.object({ name: v.pipe(v.string(), v.minLength(1)), dir: text });

export const configAnswer = v.object({
  config: v.pipe(
    v.object({
      misc: v.fallback(v.object({ complete_dir: text }), { complete_dir: '' }),
      categories: v.fallback(slotsOf(category), []),
    }),
    v.transform(({ misc, categories }): SabConfig => ({ completeDir: misc.complete_dir, categories })),
  ),
});

export const refusalAnswer = v.object({
  status: v.optional(v.unknown()),
  error: v.fallback(v.optional(v.string()), undefined),
});
