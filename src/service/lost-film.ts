/** A film whose stream was lost. */
export interface LostFilm {
  /** Under which its title and pictures are known. */
  readonly url: string;
  /** What starts it anew, from the search on; empty while nobody knows. */
  readonly origin: string;
  /** Seconds to where it was played. */
  readonly time: number;
  /** PlayItem.mark */
  readonly mark: string;
  /** PlayItem.title; empty when nobody knows. */
  readonly title: string;
  /** It plays still, and parts of it are missing further on. */
  readonly isStillPlaying: boolean;
}
