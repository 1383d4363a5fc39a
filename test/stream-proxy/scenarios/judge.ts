import type { Content, Region } from '../../support/fault-server/index.ts';
import type { RawHead } from '../../support/raw-client.ts';
import type { Promised } from './scenario.ts';

/** What is known to the judge alone: the truth about the file. */
export interface Case {
  readonly content: Content;
  /** What the upstream declares lost for good. */
  readonly missing: readonly Region[];
  /** Where nothing may be made up, lost or not: a container's index. */
  readonly untouchable: readonly Region[];
  readonly promise: Promised;
}

/**
 * Bytes before a hole that may be lost with the connection that ends at it: what the proxy has written and the player
 * has not yet read.
 */
const IN_FLIGHT = 2 * 1024 * 1024;
/** More of them tell no more. */
const MOST_OBJECTIONS = 20;

/** Hears everything that the player sees, and objects to what must not be. */
export class Judge {
  readonly objections: string[] = [];
  readonly #case: Case;
  /** The first byte that was ever delivered at each position of each hole; undefined where none was. */
  readonly #filled: Map<Region, (number | undefined)[]>;

  constructor(facts: Case) {
    this.#case = facts;
    this.#filled = new Map(facts.missing.map((region) => [region, []]));
  }

  object(text: string): void {
    if (this.objections.length < MOST_OBJECTIONS) this.objections.push(text);
  }

  /**
   * An answer's head, and what RFC 9110 wants it to be. `all`: 200; a region: 206; `none`: 416. Gives whether the
   * expected bytes follow.
   */
  head(what: string, { status, headers }: RawHead, expected: Region | 'all' | 'none'): boolean {
    const { size } = this.#case.content;
    const part = typeof expected === 'object';
    const body = part ? expected.last - expected.first + 1 : expected === 'all' ? size : 0;
    const contentRange = part
      ? `bytes ${expected.first}-${expected.last}/${size}`
      : expected === 'all'
        ? undefined
        : `bytes */${size}`;
    const wanted: Readonly<Record<string, string | undefined>> = {
      'content-length': String(body),
      'content-range': contentRange,
      'transfer-encoding': undefined,
      'content-encoding': undefined,
      ...(expected === 'none' ? {} : { 'accept-ranges': 'bytes' }),
    };
    const right = part ? 206 : expected === 'all' ? 200 : 416;
    if (status !== right) this.object(`${what}: status ${status} instead of ${right}`);
    for (const [name, value] of Object.entries(wanted))
      if (headers.get(name) !== value)
        this.object(`${what}: ${name} is ${headers.get(name) ?? 'absent'} instead of ${value ?? 'absent'}`);
    return status === right;
  }

  /** Bytes that were delivered as the file's from this position on. */
  bytes(first: number, bytes: Uint8Array): void {
    const right = this.#case.content.read(first, first + bytes.length - 1);
    let from = 0;
    for (const { region, start, end } of this.#holesIn(first, bytes.length)) {
      this.#compare(first, bytes, right, from, start);
      this.#keep(region, first, bytes.subarray(start, end), start);
      from = end;
    }
    this.#compare(first, bytes, right, from, bytes.length);
  }

  /** The holes that touch so many bytes from `first` on, as offsets; in order. */
  #holesIn(first: number, length: number): { region: Region; start: number; end: number }[] {
    return this.#case.missing
      .map((region) => ({
        region,
        start: Math.max(0, region.first - first),
        end: Math.min(length, region.last + 1 - first),
      }))
      .filter(({ start, end }) => start < end)
      .sort((a, b) => a.start - b.start);
  }

  #compare(first: number, bytes: Uint8Array, right: Uint8Array, from: number, to: number): void {
    if (Buffer.compare(bytes.subarray(from, to), right.subarray(from, to)) === 0) return;
    let at = from;
    while (bytes[at] === right[at]) at++;
    this.object(`byte ${first + at} is ${bytes[at]} instead of ${right[at]}, and no hole is there`);
  }

  /** What stands in a hole is made up; it must be so once and for all. */
  #keep(region: Region, first: number, bytes: Uint8Array, start: number): void {
    const kept = this.#filled.get(region) ?? [];
    for (const [i, byte] of bytes.entries()) {
      const at = first + start + i - region.first;
      if (kept[at] !== undefined && kept[at] !== byte) {
        this.object(`byte ${first + start + i} was ${kept[at]} and is now ${byte}`);
        return;
      }
      kept[at] = byte;
    }
  }

  /** The connection ended, or was refused, before the byte at this position, which was still owed. */
  cut(what: string, position: number): void {
    if (this.#case.promise === 'the truth') return;
    const near = (hole: Region) => hole.first <= position + IN_FLIGHT && position <= hole.last;
    if (this.#case.promise === 'up to holes' && this.#case.missing.some(near)) return;
    this.object(`${what}: the connection ended at byte ${position}, though nothing is lost there`);
  }

  /** What the proxy says it made up. To be called when everything has been read. */
  fills(fills: readonly Region[]): void {
    for (const { first, last } of fills) {
      if (!(first <= last)) this.object(`a fill from ${first} to ${last}`);
      if (!this.#case.missing.some((hole) => hole.first <= first && last <= hole.last))
        this.object(`the fill ${first}-${last} covers bytes that can be had`);
      if (this.#case.untouchable.some((region) => region.first <= last && first <= region.last))
        this.object(`the fill ${first}-${last} touches what no player can do without`);
    }
    for (const [region, kept] of this.#filled) this.#reported(region, kept, fills);
  }

  #reported(region: Region, kept: readonly (number | undefined)[], fills: readonly Region[]): void {
    for (const [at, byte] of kept.entries()) {
      const position = region.first + at;
      if (byte === undefined || fills.some(({ first, last }) => first <= position && position <= last))
        continue;
      this.object(`byte ${position} was made up, and no fill says so`);
      return;
    }
  }
}
