import * as v from 'valibot';
import { FileName, FileSize, HttpUrl, ServiceName, ServingShape, SourceHeaders } from '../source/schemas.ts';
import { type EndedSession, serializeEnded } from './ended-sessions.ts';
import { SESSION_ID, type SessionRecord, serializeRecord } from './record.ts';
import { MAX_SESSIONS } from './sessions.ts';
import { MAX_SUBTITLES } from './subtitles.ts';

/**
 * What a replacement engine needs to go on: opaque to everybody else, kept in memory only, because it holds the
 * credentials of the sources. JSON throughout.
 */
export interface Snapshot {
  readonly version: 2;
  readonly token: string;
  readonly sessions: readonly unknown[];
  readonly ended: readonly unknown[];
}

export interface RestoredSnapshot {
  readonly token: string;
  readonly sessions: readonly SessionRecord[];
  readonly ended: readonly EndedSession[];
}

/** Writes a snapshot. */
export const snapshotOf = (
  token: string,
  records: readonly SessionRecord[],
  ended: readonly EndedSession[],
): Snapshot => ({
  version: 2,
  token,
  sessions: records.map(serializeRecord),
  ended: ended.map(serializeEnded),
});

const MAX_FILLS = 1000;
const MAX_PIECES = 10_000;
const MAX_TEXT = 1_000_000;

const Id = v.pipe(v.string(), v.regex(SESSION_ID));
const Position = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Bytes = v.pipe(
  v.string(),
  v.maxLength(MAX_TEXT),
  v.base64(),
  v.transform((text) => new Uint8Array(Buffer.from(text, 'base64'))),
);

const FillShape = v.object({
  first: Position,
  last: Position,
  how: v.string(),
  pattern: v.pipe(
    Bytes,
    v.check((bytes) => bytes.byteLength > 0),
  ),
  pieces: v.pipe(v.array(v.object({ at: Position, bytes: Bytes })), v.maxLength(MAX_PIECES)),
});

const SourceShape = v.object({
  url: HttpUrl,
  headers: SourceHeaders,
  serving: v.exactOptional(ServingShape),
  played: v.exactOptional(
    v.object({
      url: HttpUrl,
      headers: SourceHeaders,
      told: v.exactOptional(FileName),
      who: v.exactOptional(ServiceName),
      elsewhere: v.exactOptional(v.object({ from: HttpUrl, to: HttpUrl })),
    }),
  ),
});

const SampleShape = v.object({
  first: Position,
  last: Position,
  digest: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

const RecordShape = v.object({
  id: Id,
  sources: v.tupleWithRest([SourceShape], SourceShape),
  validators: v.object({ tag: v.optional(v.string()), modified: v.optional(v.string()) }),
  sample: v.exactOptional(SampleShape),
  start: v.exactOptional(SampleShape),
  notes: v.optional(v.unknown()),
  listed: v.optional(v.unknown()),
  plan: v.optional(v.unknown()),
  subtitles: v.optional(
    v.pipe(
      v.array(v.object({ group: Position, name: FileName, source: SourceShape })),
      v.maxLength(MAX_SUBTITLES),
    ),
  ),
  name: FileName,
  size: FileSize,
  mime: v.pipe(v.string(), v.regex(/^[\w.+-]+\/[\w.+-]+$/)),
  fills: v.pipe(v.array(FillShape), v.maxLength(MAX_FILLS)),
  looked: v.exactOptional(v.literal(true)),
  brokenFrom: v.exactOptional(Position),
  lost: v.optional(
    v.pipe(v.array(v.object({ first: Position, last: Position, why: v.string() })), v.maxLength(MAX_FILLS)),
  ),
});

const EndedShape = v.object({ record: RecordShape, wantsCredentials: v.boolean() });

const SnapshotShape = v.object({
  version: v.literal(2),
  token: Id,
  sessions: v.array(v.unknown()),
  ended: v.optional(v.array(v.unknown()), []),
});

/**
 * The snapshot, or undefined when it is none of this version: then everything starts anew. A session that is unfit
 * costs the others nothing: `onUnfit` is told, and it is left out.
 */
export function parseSnapshot(value: unknown, onUnfit: () => void): RestoredSnapshot | undefined {
  const outer = v.safeParse(SnapshotShape, value);
  if (!outer.success) return undefined;
  const { token, sessions, ended } = outer.output;
  const fit = <T>(shape: v.GenericSchema<unknown, T>, values: readonly unknown[]): T[] =>
    values.flatMap((value) => {
      const result = v.safeParse(shape, value);
      if (!result.success) onUnfit();
      return result.success ? [result.output] : [];
    });
  return {
    token,
    // The ones that were used last stand at the end.
    sessions: fit(RecordShape, sessions.slice(-MAX_SESSIONS)).map(withoutUndefined),
    ended: fit(EndedShape, ended).map(({ record, ...more }) => ({
      ...more,
      record: withoutUndefined(record),
    })),
  };
}

type ParsedRecord = v.InferOutput<typeof RecordShape>;

function withoutUndefined({ validators, subtitles, lost, ...record }: ParsedRecord): SessionRecord {
  const { tag, modified } = validators;
  const known = {
    ...(tag === undefined ? {} : { tag }),
    ...(modified === undefined ? {} : { modified }),
  };
  return {
    ...record,
    validators: known,
    ...(subtitles !== undefined && { subtitles }),
    ...(lost !== undefined && { lost }),
  };
}
