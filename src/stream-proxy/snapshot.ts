import * as v from 'valibot';
import { ID, MAX_SESSIONS, type SessionRecord } from './session.ts';
import { FileName, FileSize, HttpUrl, SourceHeaders } from './spec.ts';

/**
 * What a replacement engine needs to go on: opaque to everybody else, kept in memory only, because it holds the
 * credentials of the sources.
 */
export interface Snapshot {
  readonly version: 1;
  readonly token: string;
  readonly sessions: readonly SessionRecord[];
}

const Id = v.pipe(v.string(), v.regex(ID));

const SnapshotShape = v.object({
  version: v.literal(1),
  token: Id,
  sessions: v.pipe(
    v.array(
      v.object({
        id: Id,
        source: v.object({ url: HttpUrl, headers: SourceHeaders }),
        name: FileName,
        size: FileSize,
        mime: v.pipe(v.string(), v.regex(/^[\w.+-]+\/[\w.+-]+$/)),
      }),
    ),
    v.maxLength(MAX_SESSIONS),
  ),
});

/** The snapshot, or undefined when it is none of this version: then everything starts anew. */
export function parseSnapshot(value: unknown): Snapshot | undefined {
  const result = v.safeParse(SnapshotShape, value);
  return result.success ? result.output : undefined;
}
