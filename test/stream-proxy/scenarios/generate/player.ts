import type { Region } from '../../../support/fault-server/index.ts';
import type { Random } from '../../../support/random.ts';
import type { FilePlan, PlayerPlan, PlayerStyle, Step } from '../scenario.ts';
import { oddRequests } from './odd.ts';

const KB = 1024;
const MB = 1024 * KB;
/** More of a file is not read in one go. */
const MOST = 6 * MB;
/** So far before the end Kodi looks for Matroska's cues (kodi.md §4.2). */
const TAIL = 131_072;

export interface PlayerMade {
  readonly plan: PlayerPlan;
  /** What will be read, in order. */
  readonly spans: readonly Region[];
}

export function generatePlayer(random: Random, file: FilePlan): PlayerMade {
  const style = random.pick<PlayerStyle>([
    ...(['sequential', 'kodi', 'kodi', 'kodi', 'seeks', 'seeks'] as const),
    ...(['pauses', 'drops', 'two', 'odd', 'again'] as const),
  ]);
  const script = new Steps(random, file.size);
  STYLES[style](script, random, file);
  return { plan: { style, steps: script.steps }, spans: script.spans };
}

const STYLES: Readonly<Record<PlayerStyle, (steps: Steps, random: Random, file: FilePlan) => void>> = {
  sequential: (steps, random) => {
    steps.open('a', 0, random.chance(0.2) ? 'whole' : 'to the end');
    steps.read('a', MOST);
  },

  // Opens, looks at the tail, goes back; each seek is a second GET while the old one stays open, idle (kodi.md §4.2).
  kodi: (steps, random, { size }) => {
    if (random.chance(0.3)) steps.head();
    steps.open('a', 0);
    steps.read('a', random.int(32 * KB, 1 * MB));
    steps.open('b', Math.max(0, size - TAIL));
    steps.read('b', TAIL);
    let [playing, other] = ['b', 'a'];
    for (let seeks = random.int(0, 3); seeks >= 0; seeks--) {
      steps.open(playing, steps.anywhere());
      steps.read(playing, random.magnitude(64 * KB, MOST / 2));
      if (random.chance(0.5)) steps.pause(random.int(100, 4000));
      steps.leave(other);
      [playing, other] = [other, playing];
    }
  },

  seeks: (steps, random) => {
    for (let seeks = random.int(3, 10); seeks > 0; seeks--) {
      const near = random.chance(0.3);
      steps.open(
        'a',
        near ? steps.near(512 * KB) : steps.anywhere(),
        random.chance(0.3) ? 'to a byte' : 'to the end',
      );
      steps.read('a', random.magnitude(1, MB));
      steps.leave('a');
    }
  },

  pauses: (steps, random) => {
    steps.open('a', steps.start());
    for (let pauses = random.int(1, 3); pauses > 0; pauses--) {
      steps.read('a', random.magnitude(16 * KB, 2 * MB));
      steps.pause(random.magnitude(500, 12_000));
    }
    steps.read('a', MOST);
  },

  // Comes back at the byte it had, or a little before.
  drops: (steps, random) => {
    steps.open('a', steps.start());
    for (let drops = random.int(2, 6); drops > 0; drops--) {
      steps.read('a', random.magnitude(1, MB));
      steps.leave('a');
      if (random.chance(0.3)) steps.pause(random.int(10, 2000));
      steps.open('a', steps.near(random.chance(0.5) ? 0 : 128 * KB));
    }
    steps.read('a', MOST / 2);
  },

  two: (steps, random) => {
    const [left, right] = [steps.branch(), steps.branch()];
    for (const [slot, branch] of [
      ['a', left],
      ['b', right],
    ] as const) {
      branch.open(slot, branch.start());
      branch.read(slot, random.magnitude(64 * KB, MOST / 2));
      branch.open(slot, branch.anywhere());
      branch.read(slot, random.magnitude(1, MB));
    }
    steps.both(left, right);
  },

  odd: (steps, random, { size }) => {
    for (const request of oddRequests(random, size)) steps.ask(request);
    steps.open('a', steps.anywhere(), 'to a byte');
    steps.read('a', MB);
    steps.head();
  },

  // The same bytes more than once: what was filled must not change.
  again: (steps, random) => {
    const first = steps.start();
    const bytes = random.magnitude(64 * KB, MOST / 2);
    for (let times = random.int(2, 4); times > 0; times--) {
      steps.open('a', first);
      steps.read('a', bytes);
      steps.leave('a');
    }
  },
};

/** Writes down steps, and what they read. */
class Steps {
  readonly steps: Step[] = [];
  readonly spans: Region[] = [];
  readonly #random: Random;
  readonly #size: number;
  /** Where each slot stands. */
  readonly #at = new Map<string, number>();
  #last = 0;

  constructor(random: Random, size: number) {
    this.#random = random;
    this.#size = size;
  }

  branch(): Steps {
    return new Steps(this.#random, this.#size);
  }

  both(left: Steps, right: Steps): void {
    this.steps.push({ do: 'both', left: left.steps, right: right.steps });
    this.spans.push(...left.spans, ...right.spans);
  }

  /** The beginning, more often than not. */
  start(): number {
    return this.#random.chance(0.6) ? 0 : this.anywhere();
  }

  anywhere(): number {
    return this.#random.int(0, this.#size - 1);
  }

  /** Within so many bytes of where the player was last. */
  near(bytes: number): number {
    const to = this.#last + this.#random.int(-bytes, bytes > 0 ? bytes / 2 : 0);
    return Math.min(this.#size - 1, Math.max(0, to));
  }

  open(slot: string, first: number, how: 'to the end' | 'to a byte' | 'whole' = 'to the end'): void {
    const last = this.#random.int(first, Math.min(this.#size - 1, first + MB));
    this.steps.push({
      do: 'open',
      slot,
      first,
      ...(how === 'to a byte' ? { last } : {}),
      ...(how === 'whole' && first === 0 ? { whole: true } : {}),
    });
    this.#at.set(slot, first);
  }

  read(slot: string, bytes: number): void {
    this.steps.push({ do: 'read', slot, bytes });
    const first = this.#at.get(slot) ?? 0;
    const next = Math.min(this.#size, first + bytes);
    this.#at.set(slot, next);
    this.#last = next;
    if (next > first) this.spans.push({ first, last: next - 1 });
  }

  pause(milliseconds: number): void {
    this.steps.push({ do: 'pause', milliseconds });
  }

  leave(slot: string): void {
    this.steps.push({ do: 'leave', slot, how: this.#random.chance(0.7) ? 'fin' : 'reset' });
  }

  head(): void {
    this.ask({ do: 'ask', method: 'HEAD', headers: {}, expect: 'all' });
  }

  ask(request: Step & { readonly do: 'ask' }): void {
    this.steps.push(request);
  }
}
