import type { Region, Script } from '../../support/fault-server/index.ts';

/** One run of the whole: a file, an upstream that misbehaves, a player, and what may be expected. All of it is data. */
export interface Scenario {
  readonly seed: number;
  readonly file: FilePlan;
  readonly upstream: UpstreamPlan;
  readonly player: PlayerPlan;
  /** Small: the file does not fit into the proxy's memory. */
  readonly memory: 'as shipped' | 'small';
  readonly promise: Promised;
}

/** What the proxy owes the player; that no byte is wrong, and nothing hangs, is owed always. */
export type Promised =
  /** Each fault passes: every byte comes, and no connection ends before its answer does. */
  | 'everything'
  /** Parts are missing for good: connections may end there, and nowhere else. */
  | 'up to holes'
  /** Nothing more. */
  | 'the truth';

export type Container = 'mkv' | Crafted | 'mp4-front' | 'mp4-tail' | 'ts' | 'opaque';

/** A Matroska file that is made to hold whoever looks for its structure (test/media/matroska/crafted.ts). */
export type Crafted = 'mkv-voids' | 'mkv-clusters';

export interface FilePlan {
  readonly container: Container;
  /** Bytes. */
  readonly size: number;
  /** Playing time, where the container has one. */
  readonly seconds: number;
}

export interface UpstreamPlan {
  /** Times as in life: the run scales them. */
  readonly script: Script;
  /** When the script begins; before that, nothing goes wrong. */
  readonly from: 'prepare' | 'play';
  readonly validators: 'none' | 'last-modified' | 'both';
  readonly redirect: boolean;
}

export type PlayerStyle = 'sequential' | 'kodi' | 'seeks' | 'pauses' | 'drops' | 'two' | 'odd' | 'again';

export interface PlayerPlan {
  readonly style: PlayerStyle;
  readonly steps: readonly Step[];
}

/** What a player does next. A slot is a connection of its own with one answer at a time. */
export type Step =
  | {
      /** GET; on the connection of the slot when that has delivered its answer, else on a new one. */
      readonly do: 'open';
      readonly slot: string;
      readonly first: number;
      /** Absent: an open-ended range. */
      readonly last?: number;
      /** Without a Range header; `first` is 0. */
      readonly whole?: true;
    }
  | {
      /** Takes so many bytes, or all that come. */ readonly do: 'read';
      readonly slot: string;
      readonly bytes: number;
    }
  | { /** As in life. */ readonly do: 'pause'; readonly milliseconds: number }
  | { readonly do: 'leave'; readonly slot: string; readonly how: 'fin' | 'reset' }
  | {
      /** A request out of the ordinary; a few bytes are read of what it gives. */
      readonly do: 'ask';
      readonly method: 'GET' | 'HEAD';
      readonly headers: Readonly<Record<string, string>>;
      /** The bytes that are to come; all of them with 200, none with 416. */
      readonly expect: Region | 'all' | 'none';
    }
  | {
      /** Two at the same time. */ readonly do: 'both';
      readonly left: readonly Step[];
      readonly right: readonly Step[];
    };
