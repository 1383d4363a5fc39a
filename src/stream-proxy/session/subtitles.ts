import type { SourceSpec } from '../source/source-spec.ts';

/** A subtitle file beside a session's film. */
export interface SubtitleRecord {
  /** Files of one stem share it, so that an .idx finds its .sub beside it. */
  readonly group: number;
  /** As it stands at the end of its path. */
  readonly name: string;
  readonly source: SourceSpec;
}

export const MAX_SUBTITLES = 32;
/** An .idx and its .sub. */
const MAX_CACHED = 2;

/** The bytes of the files that were asked for last: players read the large ones in pieces. */
export class SubtitleCache {
  readonly #kept = new Map<SubtitleRecord, Buffer>();

  get(file: SubtitleRecord): Buffer | undefined {
    return this.#kept.get(file);
  }

  put(file: SubtitleRecord, bytes: Buffer): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_CACHED && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(file, bytes);
  }

  clear(): void {
    this.#kept.clear();
  }
}
