import {
  ARTICLE_BYTES,
  ArrivedArticles,
  articleAt,
  articlesOf,
  type OpenFetch,
  type Reader,
  type ReaderOptions,
  wireBytes,
} from './articles.ts';
import type { BodyCommand } from './line.ts';

/** `max_prefetch`: articles that are asked for at once. */
const PREFETCH = 60;
/** Milliseconds that an article waits for its first byte: from its source 2 to 10 s, by what it has seen of the line. */
const PATIENCE = 10_000;

/**
 * AltMount: a GET with an end fetches the articles of its range and no others. One without starts 60 at once, in runs,
 * one run on each connection; those that wait too long there are dropped with their connection, and the body is cut.
 */
export class AltmountReader implements Reader {
  readonly #options: ReaderOptions;
  readonly #arrived: ArrivedArticles;
  readonly #sent = new Set<BodyCommand>();
  readonly #behind: number;
  #taken: number;
  #next: number;
  /** The first article that was dropped. */
  #lost = Infinity;

  constructor(options: ReaderOptions) {
    const { file, start, end } = options;
    this.#options = options;
    this.#taken = start;
    this.#next = articleAt(start);
    this.#behind = end === undefined ? articlesOf(file) : articleAt(end - 1) + 1;
    this.#arrived = new ArrivedArticles(this.#next);
  }

  get available(): number {
    return Math.min(this.#options.file.size, this.#arrived.next * ARTICLE_BYTES);
  }

  get isCut(): boolean {
    return this.#arrived.next >= this.#lost;
  }

  took(to: number): void {
    this.#taken = to;
  }

  /** Its connections are not taken in turn: each takes one command behind the other. */
  step(): boolean {
    const { line } = this.#options;
    const behind = Math.min(this.#behind, articleAt(this.#taken) + PREFETCH);
    const run = Math.ceil((behind - this.#next) / line.connections);
    while (this.#next < behind && this.#lost === Infinity) {
      const length = Math.min(run, behind - this.#next);
      line.send(...Array.from({ length }, () => this.#command(this.#next++)));
    }
    return false;
  }

  close(): void {
    this.#next = this.#behind;
    this.#options.line.withdraw(new Set(this.#sent));
  }

  #command(article: number): BodyCommand {
    const entry: OpenFetch = this.#options.log(article);
    const command: BodyCommand = {
      bytes: wireBytes(article, this.#options.file),
      patience: PATIENCE,
      came: (bytes) => (entry.bytes += bytes),
      ended: (how) => {
        entry.state = how;
        this.#sent.delete(command);
        if (how === 'whole') this.#arrived.add(article);
        else this.#lost = Math.min(this.#lost, article);
      },
    };
    this.#sent.add(command);
    return command;
  }
}
