import type { Session } from './session.ts';

/** How a play went, as `/api/nzb-attempts` tells it. */
export interface Attempt {
  readonly id: number;
  readonly tried_at: string;
  readonly stream_name: string;
  provider_name: string;
  readonly content_type: string;
  readonly content_id: string;
  readonly content_title: string;
  readonly indexer_name: string;
  readonly release_title: string;
  readonly release_url: string;
  readonly release_size: number;
  served_file?: string;
  success: boolean;
  failure_reason?: string;
  avail_status?: string;
  avail_reason?: string;
  readonly slot_path: string;
  /** It was only begun. */
  preload: boolean;
}

/** A play is called good above this. */
const GOOD_BYTES = 64 * 1024 * 1024;
const NOT_PROVEN =
  'Not reported to AvailNZB because this segment fetch failure does not reliably prove the release is bad.';

/** Kept over a restart. */
export class Attempts {
  #all: readonly Attempt[] = [];

  /** The newest first. */
  get all(): readonly Attempt[] {
    return this.#all;
  }

  begun(
    { id, post: { release }, wanted, stream }: Session,
    indexer: { readonly name: string; readonly url: string },
    now: number,
  ): Attempt {
    const attempt: Attempt = {
      id: this.#all.length + 1,
      tried_at: new Date(now).toISOString(),
      stream_name: stream.name,
      provider_name: '',
      content_type: wanted.type,
      content_id: wanted.id,
      content_title: release.of.title,
      indexer_name: indexer.name,
      release_title: release.name,
      release_url: `${indexer.url}/details/${release.guid}`,
      release_size: release.size,
      success: false,
      slot_path: id,
      preload: true,
    };
    this.#all = [attempt, ...this.#all];
    return attempt;
  }
}

/** It failed of this. */
export function recordFailure(attempt: Attempt, reason: string): void {
  Object.assign(attempt, { success: false, failure_reason: reason, preload: false });
  if (!reason.startsWith('segment unavailable')) return;
  Object.assign(attempt, {
    provider_name: '127.0.0.1',
    avail_status: 'skipped',
    avail_reason: NOT_PROVEN,
  });
}

/** The body of a file is over after so many bytes. */
export function recordEnd(attempt: Attempt, file: string, bytes: number): void {
  attempt.served_file = file;
  if (attempt.failure_reason !== undefined) return;
  attempt.provider_name = '127.0.0.1';
  attempt.success = bytes >= GOOD_BYTES;
  if (attempt.success) return;
  attempt.failure_reason = `Playback ended too early to classify this release as good. Threshold not reached (${bytes}/${GOOD_BYTES} bytes, 0s/20s).`;
  attempt.avail_status = 'skipped';
  attempt.avail_reason = 'Playback ended before the good threshold was reached.';
}
