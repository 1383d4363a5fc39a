import type { Answer } from '../../http/types.ts';
import { ALTMOUNT } from '../../nzbdav/dialect.ts';
import { contentType } from '../../nzbdav/propfind.ts';
import { articlesOf, type ByteSpan } from '../../posts.ts';
import { type LiveRange, liveBody } from '../live-body.ts';
import { type Attempt, recordEnd, recordFailure } from './attempts.ts';
import { serveContent } from './go-http.ts';
import { articleGone } from './opening.ts';
import type { StreamNzb } from './service.ts';
import type { Session } from './session.ts';

/** What a film's bytes come from, and where is told of them. */
interface Playing {
  readonly session: Session;
  readonly attempt: Attempt;
  readonly service: StreamNzb;
}

/** The file of a session whose release is open. @param headers those of the request; none: the whole of it */
export function film(playing: Playing, headers: Readonly<Record<string, string>>): Answer {
  const { post, video } = playing.session;
  const clip = post.film(video!);
  return serveContent(
    {
      clip,
      type: contentType(clip.name, ALTMOUNT),
      headers: {
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
        'content-disposition': rawUtf8(`inline; filename="${clip.name}"`),
      },
      body: (start, end) => body({ clip, start, end }, playing),
    },
    headers,
  );
}

/** Node writes each character of a header as one byte. */
const rawUtf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

function body(range: LiveRange, { session, attempt, service }: Playing) {
  const { clip } = range;
  const bytes = new FilmBytes(range, session, service);
  const reach = (at: number) => {
    const reason = bytes.lacks(at);
    if (reason === undefined) return bytes.reach(at);
    attempt.served_file = clip.name;
    recordFailure(attempt, reason);
    if (session.stream.failover) session.failed = service.now();
    return undefined;
  };
  const read = (start: number, end: number) => bytes.read(start, end);
  const onEnd = (sent: number) => {
    recordEnd(attempt, clip.name, sent);
  };
  return liveBody({ ...range, clip: { ...clip, read } }, { script: service.script, reach, onEnd });
}

/**
 * What can be had of a film while its body runs. Each article that the body comes to is kept, and comes also while the
 * provider is away.
 */
class FilmBytes {
  readonly #range: LiveRange;
  readonly #session: Session;
  readonly #service: StreamNzb;
  readonly #articles: readonly ByteSpan[];
  /** The stretch of zeros that comes once the provider has gone away. */
  #zeros: ByteSpan | undefined;

  constructor(range: LiveRange, session: Session, service: StreamNzb) {
    this.#range = range;
    this.#session = session;
    this.#service = service;
    this.#articles = articlesOf(range.clip.size);
  }

  /** Why there is no byte at this offset; undefined: there is one. */
  lacks(at: number): string | undefined {
    const { provider, zeros } = this.#service.settings;
    const { start, end } = this.#range;
    const comes = provider === 'there' || this.#service.memory.cache.has(this.#key(at));
    if (!comes && at > start) this.#zeros ??= { from: at, to: Math.max(at, Math.min(at + zeros, end - 1)) };
    if (this.#zeros === undefined ? !comes : at >= this.#zeros.to) return 'segment unavailable: EOF';
    const isGone = this.#zeros === undefined && this.#holes().some(({ from, to }) => at >= from && at < to);
    return isGone ? articleGone(this.#session.post, at) : undefined;
  }

  /** Up to where there are bytes behind this offset: to the end of its article. */
  reach(at: number): number {
    if (this.#zeros !== undefined) return this.#zeros.to;
    const { memory, settings } = this.#service;
    const { from, to } = this.#articles[this.#articleAt(at)]!;
    memory.cache.keep(this.#key(at), to - from, settings.cache);
    const ahead = this.#holes().filter((hole) => hole.from > at);
    return Math.min(this.#range.end, to, ...ahead.map((hole) => hole.from));
  }

  read(start: number, end: number): Uint8Array<ArrayBuffer> {
    const isZero = this.#zeros !== undefined && start >= this.#zeros.from;
    return isZero ? new Uint8Array(end - start) : this.#range.clip.read(start, end);
  }

  #holes() {
    return this.#session.post.holes(this.#session.video!);
  }

  #articleAt(at: number): number {
    return this.#articles.findIndex(({ to }) => at < to);
  }

  #key(at: number): string {
    const { post, video } = this.#session;
    return `${post.release.guid} ${video} ${this.#articleAt(at)}`;
  }
}
