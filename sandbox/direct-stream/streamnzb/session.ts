import type { DirectPost, Wanted } from '../post.ts';

/** A list of its own, as the person has configured it. */
export interface ConfiguredStream {
  readonly name: string;
  readonly token: string;
  /** On by default. */
  failover: boolean;
  /** `first`: one row, and one that leads to the next release. */
  readonly results: 'display_all' | 'first';
}

/** A place in a list, and the release that stood there first. */
export interface Session {
  readonly id: string;
  readonly post: DirectPost;
  readonly wanted: Wanted;
  readonly stream: ConfiguredStream;
  /** The place among the release's videos of the one that is played; undefined: not opened yet. */
  video?: number | undefined;
  /** When it was asked for last. */
  touched: number;
  /** When it failed, where failover leads on from it. */
  failed?: number | undefined;
}
