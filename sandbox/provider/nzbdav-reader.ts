import {
  ARTICLE_BYTES,
  ArrivedArticles,
  articleAt,
  articlesOf,
  type Reader,
  type ReaderOptions,
  wireBytes,
} from './articles.ts';

/** Articles that wait, whole or on their way, for their turn in the body. */
const READ_AHEAD = 40;
/** What the server's own pipes and its front end's sockets take of a body that nobody reads, in articles. */
const PIPES = 18;

/**
 * nzbdav: each GET reads ahead for itself, and the range's end does not bound it. It takes one free connection after
 * another, in turn with the other GETs; what is on its way is fetched to its end, also when the client has left.
 */
export class NzbdavReader implements Reader {
  readonly isCut = false;
  readonly #options: ReaderOptions;
  readonly #arrived: ArrivedArticles;
  #taken: number;
  #next: number;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#taken = options.start;
    this.#next = articleAt(options.start);
    this.#arrived = new ArrivedArticles(this.#next);
  }

  get available(): number {
    return Math.min(this.#options.file.size, this.#arrived.next * ARTICLE_BYTES);
  }

  took(to: number): void {
    this.#taken = to;
  }

  step(): boolean {
    const { line, file, log } = this.#options;
    const article = this.#next;
    const mayAsk = article < Math.min(articlesOf(file), this.#limit()) && line.hasFree;
    if (!mayAsk) return false;
    this.#next++;
    const entry = log(article);
    line.send({
      bytes: wireBytes(article, file),
      patience: Infinity,
      came: (bytes) => (entry.bytes += bytes),
      ended: (how) => {
        entry.state = how;
        this.#arrived.add(article);
      },
    });
    return true;
  }

  /** Nothing is taken back: what is on its way comes. */
  close(): void {
    this.#next = Infinity;
  }

  /** The first article that has to wait until the client has read on. */
  #limit(): number {
    return Math.min(this.#arrived.next, articleAt(this.#taken) + PIPES) + READ_AHEAD;
  }
}
