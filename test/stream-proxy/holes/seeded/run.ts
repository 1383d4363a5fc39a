import { once } from 'node:events';
import http from 'node:http';
import type { Region } from '../../../support/fault-server/index.ts';
import { scenarioPolicies } from '../../scenarios/policies.ts';
import { type Stage, setStage, zeroed } from '../stage.ts';
import { type HolePlay, planHolePlay } from './plan.ts';
import { type Truth, truthOf } from './truth.ts';

/** Bytes behind the first place at which something must begin, until which a hole must be listed. */
const LISTED_WITHIN = 64 * 1024;
/** Bytes before a hole that may be lost with the connection that ends at it. */
const IN_FLIGHT = 2 * 1024 * 1024;
const EXTENSIONS = { mkv: 'mkv', 'mp4-front': 'mp4', 'mp4-tail': 'mp4', ts: 'ts', opaque: 'bin' } as const;

/** Plays a film with holes; gives what was wrong. */
export async function playHoles(seed: number): Promise<readonly string[]> {
  const play = planHolePlay(seed);
  const truth = truthOf(play);
  const { content } = truth;
  const isZeros = play.kind === 'zeros';
  const policies = scenarioPolicies(1, 'as shipped');
  const stage = await setStage({
    content,
    served: isZeros ? zeroed(content, play.holes) : content,
    name: `Sintel.${EXTENSIONS[play.container]}`,
    serving: play.serving,
    script: {
      missing: isZeros ? [] : play.holes,
      latency: play.latency,
      dialect: isZeros ? 'infinidysk' : 'nzbdav',
    },
    fills: policies.fills,
    read: policies.read,
  });
  try {
    const judge = new HoleJudge(play, truth, stage);
    for (const region of play.reads) await judge.read(region);
    return judge.objections;
  } finally {
    await stage.close();
  }
}

/** What repeats one play. */
export const replayHoles = (seed: number): string => `npm run scenarios -- --holes --seed ${seed}`;

/** A play in one line. */
export function describeHoles({ seed, container, kind, size, holes, reads }: HolePlay): string {
  const spans = (regions: readonly Region[]) =>
    regions.map(({ first, last }) => `${first}-${last}`).join(', ');
  return `seed ${seed}: ${container} of ${size} bytes, holes (${kind}) ${spans(holes)}; reads ${spans(reads)}`;
}

class HoleJudge {
  readonly objections: string[] = [];
  readonly #play: HolePlay;
  readonly #truth: Truth;
  readonly #stage: Stage;
  /** What was given last at each position of each fill, by where it begins. */
  readonly #kept = new Map<number, (number | undefined)[]>();

  constructor(play: HolePlay, truth: Truth, stage: Stage) {
    this.#play = play;
    this.#truth = truth;
    this.#stage = stage;
  }

  async read(region: Region): Promise<void> {
    const bytes = await readAsFarAsItGoes(this.#stage.url, region);
    const end = region.first + bytes.length;
    if (end <= region.last) this.#cut(end);
    const { fills, lost = [] } = this.#stage.report();
    this.#outside(region.first, bytes);
    for (const hole of this.#play.holes) {
      const [from, to] = [Math.max(hole.first, region.first), Math.min(hole.last + 1, end)];
      if (from >= to) continue;
      const inside = bytes.subarray(from - region.first, to - region.first);
      const at = this.#unlisted(from, inside, [...fills, ...lost]);
      if (at !== undefined) this.#differs(at, hole, { from, to });
    }
    for (const fill of fills) this.#stays(fill, region.first, bytes);
  }

  /** What lies in no hole is the film's own. */
  #outside(first: number, bytes: Buffer): void {
    let from = first;
    const end = first + bytes.length;
    for (const hole of [...this.#play.holes, { first: end, last: end }]) {
      const to = Math.min(hole.first, end);
      const right = from < to ? this.#truth.content.read(from, to - 1) : [];
      if (from < to && Buffer.compare(bytes.subarray(from - first, to - first), Buffer.from(right)) !== 0)
        this.objections.push(`a byte from ${from} to ${to - 1} is wrong, and no hole is there`);
      from = Math.max(from, hole.last + 1);
    }
  }

  /** The first byte that is not the film's and in none of the ranges. */
  #unlisted(first: number, bytes: Buffer, listed: readonly Region[]): number | undefined {
    const right = this.#truth.content.read(first, first + bytes.length - 1);
    const holds = (at: number) => listed.some((range) => range.first <= at && at <= range.last);
    const found = bytes.findIndex((byte, i) => byte !== right[i] && !holds(first + i));
    return found < 0 ? undefined : first + found;
  }

  /** Only a hole ends a connection before its answer's end. */
  #cut(position: number): void {
    const near = ({ first, last }: Region) => first <= position + IN_FLIGHT && position <= last + 1;
    if (!this.#play.holes.some(near)) this.objections.push(`cut at ${position}, where nothing is lost`);
  }

  /** Zeros of the server may be there where nothing has had to begin so far. */
  #differs(position: number, hole: Region, got: { readonly from: number; readonly to: number }): void {
    if (this.#play.kind !== 'zeros') this.objections.push(`byte ${position} is made up and not listed`);
    const begin = this.#truth.begins.find((place) => place >= got.from && place <= hole.last);
    if (begin !== undefined && got.to > begin + LISTED_WITHIN)
      this.objections.push(`zeros at ${position} are not listed, though something begins at ${begin}`);
  }

  /** What stands in a hole stays as it is. */
  #stays(fill: Region, start: number, bytes: Buffer): void {
    const kept = this.#kept.get(fill.first) ?? new Array<number | undefined>();
    this.#kept.set(fill.first, kept);
    const end = Math.min(start + bytes.length - 1, fill.last);
    for (let at = Math.max(start, fill.first); at <= end; at++) {
      const byte = bytes[at - start];
      const before = kept[at - fill.first];
      kept[at - fill.first] = byte;
      if (before === undefined || before === byte) continue;
      this.objections.push(`byte ${at} was ${before} and is now ${byte}`);
      return;
    }
  }
}

async function readAsFarAsItGoes(url: string, { first, last }: Region): Promise<Buffer> {
  const request = http.get(url, { agent: false, headers: { range: `bytes=${first}-${last}` } });
  const chunks: Buffer[] = [];
  try {
    const [message] = (await once(request, 'response')) as [http.IncomingMessage];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    // What came until then is judged, and that no more came.
  }
  return Buffer.concat(chunks);
}
