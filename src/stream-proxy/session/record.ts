import { randomBytes } from 'node:crypto';
import type { Fill } from '../../media/fill-types.ts';
import type { LostRange } from '../holes/lost-ranges.ts';
import type { FileSample } from '../source/relocating-source.ts';
import type { SourceSpec } from '../source/source-spec.ts';
import type { Validators } from '../source/validators.ts';
import type { SubtitleRecord } from './subtitles.ts';

/** What must survive for a session to go on in another engine. */
export interface SessionRecord {
  readonly id: string;
  /** The one that is read from comes first. */
  readonly sources: readonly [SourceSpec, ...SourceSpec[]];
  /** Which version of the file the player has been given so far. */
  readonly validators: Validators;
  /** As it stands at the end of the stream's path. */
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  /** What stands in place of lost bytes: a second read must give the same. */
  readonly fills: readonly Fill[];
  /** What could not be filled, and is lost for good; absent: nothing. */
  readonly lost?: readonly LostRange[];
  /** It has been looked into; absent: that is still to be done, where it is done after the start. */
  readonly looked?: true;
  /** The byte from which on it cannot be played; absent: none is known. */
  readonly brokenFrom?: number;
  /** Absent: none. */
  readonly subtitles?: readonly SubtitleRecord[];
  /** Of what the player was given last, where that is no longer in memory: by it the file is known again. */
  readonly sample?: FileSample;
  /** Of the file's first bytes: by it the file is known again when its session has ended. */
  readonly start?: FileSample;
  /** What the service wants to be given back with the stream; opaque here, and no secret. */
  readonly notes?: unknown;
  /** What the service finds the file's address by in the list that it came from; opaque here, and secret. */
  readonly listed?: unknown;
  /** What the resolver wants the service to know of the play; opaque here, and secret. */
  readonly plan?: unknown;
}

/** 128 random bits: nobody guesses one. */
export const SESSION_ID = /^[0-9a-f]{32}$/;
export const newSessionId = (): string => randomBytes(16).toString('hex');

/** As it stands in a snapshot: JSON throughout. */
export const serializeRecord = (record: SessionRecord): object => ({
  ...record,
  fills: record.fills.map(serializeFill),
});

const serializeFill = ({ pattern, pieces, ...fill }: Fill): object => ({
  ...fill,
  pattern: toBase64(pattern),
  pieces: pieces.map(({ at, bytes }) => ({ at, bytes: toBase64(bytes) })),
});

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
