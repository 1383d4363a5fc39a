import * as v from 'valibot';
import { FileName, FileSize, HttpUrl, SourceHeaders } from '../source/spec.ts';
import { ID, MAX_SESSIONS, type SessionRecord } from './session.ts';

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

const RecordShape = v.object({
  id: Id,
  source: v.object({ url: HttpUrl, headers: SourceHeaders }),
  name: FileName,
  size: FileSize,
  mime: v.pipe(v.string(), v.regex(/^[\w.+-]+\/[\w.+-]+$/)),
});

const SnapshotShape = v.object({ version: v.literal(1), token: Id, sessions: v.array(v.unknown()) });

/**
 * The snapshot, or undefined when it is none of this version: then everything starts anew. A session that is unfit
 * costs the others nothing: `onUnfit` is told, and it is left out.
 */
export function parseSnapshot(value: unknown, onUnfit: () => void): Snapshot | undefined {
  const outer = v.safeParse(SnapshotShape, value);
  if (!outer.success) return undefined;
  const { version, token, sessions } = outer.output;
  // The ones that were used last stand at the end.
  const records = sessions.slice(-MAX_SESSIONS).flatMap((session): SessionRecord[] => {
    const result = v.safeParse(RecordShape, session);
    if (!result.success) onUnfit();
    return result.success ? [result.output] : [];
  });
  return { version, token, sessions: records };
}
