import { AltmountReader } from './altmount-reader.ts';
import type { Fetch, OpenFetch, Reader, SharedFile } from './articles.ts';
import { type LineOptions, ProviderLine } from './line.ts';
import { NzbdavReader } from './nzbdav-reader.ts';

export interface ModelOptions extends LineOptions {
  /** Whose GETs: what they fetch ahead, and what happens to it. */
  readonly form: 'nzbdav' | 'altmount';
}

/** A GET of a file, as it came in. */
export interface LoggedGet {
  readonly number: number;
  readonly file: string;
  readonly start: number;
  /** Not included; undefined: without an end. */
  readonly end: number | undefined;
  /** Milliseconds of the model's clock. */
  readonly opened: number;
  readonly closed?: number;
  /** The body ended before its range did. */
  readonly isCut?: boolean;
}

const READERS = { nzbdav: NzbdavReader, altmount: AltmountReader };

interface OpenGet {
  readonly reader: Reader;
  readonly entry: { -readonly [K in keyof LoggedGet]: LoggedGet[K] };
}

/** What GETs cost at the provider, by a clock that whoever uses it moves. Nothing in it waits or looks at a real one. */
export class CostModel {
  readonly #options: ModelOptions;
  readonly #line: ProviderLine;
  /** In the order in which they get the next free connection. */
  #open: readonly OpenGet[] = [];
  readonly #gets: LoggedGet[] = [];
  readonly #fetches: Fetch[] = [];

  constructor(options: ModelOptions) {
    this.#options = options;
    this.#line = new ProviderLine(options);
  }

  /** Milliseconds since its beginning. */
  get now(): number {
    return this.#line.now;
  }

  /** Nothing happens unless somebody opens something. */
  get isIdle(): boolean {
    return this.#open.length === 0 && this.#line.isIdle;
  }

  get gets(): readonly LoggedGet[] {
    return this.#gets;
  }

  /** Each BODY that was asked of the provider, in this order. */
  get fetches(): readonly Fetch[] {
    return this.#fetches;
  }

  /** A GET comes in. @param end not included; undefined: it names none */
  open(file: SharedFile, start: number, end: number | undefined): Reader {
    const entry: OpenGet['entry'] = {
      number: this.#gets.length,
      file: file.name,
      start,
      end,
      opened: this.now,
    };
    this.#gets.push(entry);
    const log = (article: number): OpenFetch => {
      const fetch: OpenFetch = { file: file.name, article, get: entry.number, bytes: 0, state: 'asked' };
      this.#fetches.push(fetch);
      return fetch;
    };
    const reader = new READERS[this.#options.form]({ line: this.#line, file, start, end, log });
    this.#open = [...this.#open, { reader, entry }];
    return reader;
  }

  /** The client of a GET has left, or has everything. */
  close(reader: Reader): void {
    const get = this.#open.find((each) => each.reader === reader);
    if (get === undefined) return;
    this.#open = this.#open.filter((each) => each !== get);
    get.entry.closed = this.now;
    get.entry.isCut = reader.isCut;
    reader.close();
  }

  /** Moves the clock to a time in milliseconds; one that has been is left as it was. */
  advance(to: number): void {
    while (this.now < to) {
      if (this.isIdle) this.#line.sleepUntil(to);
      else this.#step();
    }
  }

  /** Who was served goes behind those who were not. */
  #step(): void {
    this.#line.step();
    const isServed = new Set(this.#open.filter(({ reader }) => reader.step()));
    this.#open = [...this.#open.filter((get) => !isServed.has(get)), ...isServed];
  }
}
