import type { HandedOverFilm as HandedOver, Message, PlayerState } from '../host/port.ts';
import type { ExplainedFailure } from '../stream-proxy.ts';
import type { LostFilm } from './lost-film.ts';
import { restarted } from './messages.ts';
import { PlaybackProgress, type SavedProgress } from './playback-progress.ts';

/** One of our streams while it plays, or is about to play again. */
export class Film {
  readonly url: string;
  readonly progress = new PlaybackProgress();
  /** What starts it anew, from the search on; empty while nobody knows. */
  origin: string;
  /** PlayItem.mark, as far as it is known. */
  mark = '';
  /** What it was called when it was started; empty while nobody knows. */
  title = '';
  /** Why its source was given up before it was played again: that counts no more. */
  ignoredLoss: ExplainedFailure | undefined;
  /** To be told at its next picture. */
  startMessage: Message | undefined;
  /** Another release has been asked for, because parts of this one are missing further on. */
  isBeingReplaced = false;
  /** The trouble of its server that the person has been told of, until they are told that it is over. */
  reportedError: { readonly since: number; isOver: boolean } | undefined;
  /** Set while it is to be played again and has not begun yet: when that counts as failed. */
  startDeadline: number | undefined;

  constructor(url: string, origin = '') {
    this.url = url;
    this.origin = origin;
  }

  /** What the media centre was told of it when it was handed over. */
  identify({ origin, mark, title = '' }: HandedOver): void {
    this.origin = origin;
    this.mark = mark;
    this.title = title;
  }

  /** The player holds it, and stands here. @param enough See Progress.update. */
  update(state: PlayerState, enough: number): void {
    this.progress.update(state, enough);
    this.origin = state.origin || this.origin;
    this.mark = state.mark || this.mark;
    this.title = state.title ?? this.title;
  }

  /**
   * It is to be played once more, from `position` (seconds) on. @param lost What it has failed of so far.
   * @param startsBy performance.now() by which it has begun.
   */
  restartFrom(position: number, lost: ExplainedFailure | undefined, startsBy: number): void {
    this.progress.markRestarted(position);
    this.ignoredLoss = lost ?? this.ignoredLoss;
    this.startDeadline = startsBy;
    this.startMessage = restarted(position);
  }

  /** As it is told to whoever takes care of what was lost. */
  toLostFilm(more: Pick<LostFilm, 'time' | 'isStillPlaying'>): LostFilm {
    const { url, origin, mark, title } = this;
    return { url, origin, mark, title, ...more };
  }

  /** Goes on from what the engine before has known. */
  restore({ origin, mark, title, progress }: SavedFilm): void {
    this.origin = origin;
    this.mark = mark;
    this.title = title;
    this.progress.restore(progress);
  }
}

/** What another engine must know of a film to go on with it. */
export interface SavedFilm extends Pick<Film, 'url' | 'origin' | 'mark' | 'title'> {
  readonly progress: SavedProgress;
}
